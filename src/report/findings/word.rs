//! Words of severities: in English, and as gcc's catalogues translate them.

use super::super::record::Severity;

/// The words of a severity, as tools write them, longer ones before those that they begin with; compared without case.
const WORDS: &[(Severity, &[&str])] = &[
    (Severity::Error, &["fatal error", "internal compiler error", "error", "fatal", "e", "f", "high"]),
    (Severity::Warning, &["warning", "warn", "w", "medium"]),
    (Severity::Note, &["note", "info", "information", "remark", "hint", "style", "convention", "refactor"]),
    (Severity::Note, &["notice", "low", "c", "r", "i"]),
];

fn words() -> impl Iterator<Item = (&'static str, Severity)> {
    WORDS.iter().flat_map(|(severity, words)| words.iter().map(|word| (*word, *severity)))
}

/// The severity that a word stands for.
pub fn severity(word: &str) -> Option<Severity> {
    words().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, severity)| severity)
}

/// The word of a severity at the start of a text, with the severity and the rest of the text.
pub fn english(text: &str) -> Option<(&str, Severity, &str)> {
    words().find_map(|(known, severity)| {
        let (word, rest) = text.split_at_checked(known.len())?;
        let is_whole = !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        (is_whole && word.eq_ignore_ascii_case(known)).then_some((word, severity, rest))
    })
}

/// Words for a fatal error, an error, a warning and a note, a language a row: as in `gcc-12.mo` of Debian's
/// gcc-12-locales, messages `fatal error: `, `error: `, `warning: `, `note: `.
const TRANSLATED: &[[&str; 4]] = &[
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
pub fn translated(text: &str) -> Option<(&str, Severity, &str)> {
    let all = TRANSLATED.iter().flat_map(|row| row.iter().zip(SEVERITIES));
    let ends = |word: &str| text[word.len()..].starts_with([':', '：']);
    let (word, severity) = all.filter(|(word, _)| text.starts_with(**word)).find(|(word, _)| ends(word))?;
    Some((&text[..word.len()], severity, &text[word.len()..]))
}
