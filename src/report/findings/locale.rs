//! gcc in other languages, told by the words that its catalogues have for a severity.

use super::super::family::Family;
use super::super::record::{Finding, Severity};
use super::detail::{self, Behind, Indented, PLAIN};
use super::lines::GCC;
use super::tool::{TOOL, Tool, read};
use super::{form, word};

/// gcc, where it does not speak English. Its other sentences stay as they are.
pub const FAMILY: Family = Family {
    name: "gcc, translated",
    signs: SIGNS,
    read: |section, records| read(section, records, &TRANSLATED),
};

const TRANSLATED: Tool = Tool {
    forms: &[
        form::Form {
            template: "{place}: {translated}: {message}‹ [{code}]›", is_code: GCC.forms[0].is_code
        },
        form::Form {
            template: "{place}: {translated}：{message}‹ [{code}]›", is_code: GCC.forms[0].is_code
        },
    ],
    behind: Behind { indented: Indented::Notes, note, leads, ..PLAIN },
    ..TOOL
};

fn note(line: &str) -> Option<Finding<'_>> {
    let (place, rest) = form::colons(line)?;
    let (said, Severity::Note, rest) = word::translated(rest.strip_prefix(": ")?)? else { return None };
    let message = rest.strip_prefix(": ").or_else(|| rest.strip_prefix('：'))?;
    Some(detail::finding(Some(place), said, Severity::Note, "", message))
}

/// Whether a line leads to what the compiler found: `main.c: In Funktion »main«:`.
fn leads(line: &str) -> bool {
    line.trim_end().strip_suffix(':').and_then(|line| line.split_once(": ")).is_some_and(|(file, words)| {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        matches!(extension, "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "m" | "C" | "H")
            && words.starts_with(char::is_alphabetic)
    })
}

/// Words of the languages, without those that are English words, too.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    ": Anmerkung: ", ": Fehler: ", ": UYARI: ", ": Warnung: ", ": advarsel: ", ": anm: ",
    ": attention: ", ": aviso: ", ": bemærk: ", ": bilgi: ", ": catatan: ", ": cảnh báo: ",
    ": erreur fatale: ", ": erreur: ", ": error fatal: ", ": fatal fejl: ", ": fatale fout: ",
    ": fatalna greška: ", ": fejl: ", ": fel: ", ": fout: ", ": ghi chú: ", ": greška: ", ": hata: ",
    ": huom: ", ": let op: ", ": lỗi nghiêm trọng: ", ": lỗi: ", ": napomena: ", ": nota: ",
    ": peringatan: ", ": schwerwiegender Fehler: ", ": upozorenje: ", ": vakava virhe: ", ": varning: ",
    ": varoitus: ", ": virhe: ", ": ödesdigert fel: ", ": ölümcül hata: ", ": μοιραίο σφάλμα: ",
    ": προειδοποίηση: ", ": σημείωση: ", ": σφάλμα: ", ": грешка: ", ": замечание: ", ": зауваження: ",
    ": кобна грешка: ", ": критична помилка: ", ": напомена: ", ": ошибка: ", ": помилка: ",
    ": попередження: ", ": предупреждение: ", ": упозорење: ", ": фатальная ошибка: ", ": エラー: ",
    ": 備考: ", ": 嚴重錯誤：", ": 致命的エラー: ", ": 致命错误：", ": 警告: ", ": 警告：", ": 錯誤：", ": 错误：", ": 附注：", ": 附註：",
];
