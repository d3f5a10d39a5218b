//! gcc in other languages: the words of a severity as its catalogues translate them (`gcc-12.mo` of Debian's
//! gcc-12-locales, messages `fatal error: `, `error: `, `warning: `, `note: `).

use super::super::family::Family;
use super::super::record::{Finding, Severity};
use super::detail::{Behind, Indented, PLAIN};
use super::form;
use super::lines::GCC;
use super::tool::{TOOL, Tool, read};

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
    let (said, Severity::Note, rest) = word(rest.strip_prefix(": ")?)? else { return None };
    let message = rest.strip_prefix(": ").or_else(|| rest.strip_prefix('：'))?;
    Some(super::detail::finding(Some(place), said, Severity::Note, "", message))
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

/// Words for a fatal error, an error, a warning and a note; a language a row.
const WORDS: &[[&str; 4]] = &[
    ["fatal fejl", "fejl", "advarsel", "bemærk"],                 // da
    ["schwerwiegender Fehler", "Fehler", "Warnung", "Anmerkung"], // de
    ["μοιραίο σφάλμα", "σφάλμα", "προειδοποίηση", "σημείωση"],    // el
    ["error fatal", "error", "aviso", "nota"],                    // es
    ["vakava virhe", "virhe", "varoitus", "huom"],                // fi
    ["erreur fatale", "erreur", "attention", "note"],             // fr
    ["fatalna greška", "greška", "upozorenje", "napomena"],       // hr
    ["fatal error", "error", "peringatan", "catatan"],            // id
    ["致命的エラー", "エラー", "警告", "備考"],                   // ja
    ["fatale fout", "fout", "let op", "note"],                    // nl
    ["фатальная ошибка", "ошибка", "предупреждение", "замечание"], // ru
    ["кобна грешка", "грешка", "упозорење", "напомена"],          // sr
    ["ödesdigert fel", "fel", "varning", "anm"],                  // sv
    ["ölümcül hata", "hata", "UYARI", "bilgi"],                   // tr
    ["критична помилка", "помилка", "попередження", "зауваження"], // uk
    ["lỗi nghiêm trọng", "lỗi", "cảnh báo", "ghi chú"],           // vi
    ["致命错误", "错误", "警告", "附注"],                         // zh_CN
    ["嚴重錯誤", "錯誤", "警告", "附註"],                         // zh_TW
];
const SEVERITIES: [Severity; 4] = [Severity::Error, Severity::Error, Severity::Warning, Severity::Note];

/// The word of a severity at the start of a text, in any of the languages, with the severity and the rest of the text.
pub fn word(text: &str) -> Option<(&str, Severity, &str)> {
    let all = WORDS.iter().flat_map(|row| row.iter().zip(SEVERITIES));
    let ends = |word: &str| text[word.len()..].starts_with([':', '：']);
    let (word, severity) = all.filter(|(word, _)| text.starts_with(**word)).find(|(word, _)| ends(word))?;
    Some((&text[..word.len()], severity, &text[word.len()..]))
}
