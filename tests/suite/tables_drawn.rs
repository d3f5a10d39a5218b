//! Drawn tables, listings and logs as documents: each cell in its own column, or the text as it came.

use llm_toto::document::tables::{Part, read};
use llm_toto::document::{Document, Id};

#[test]
fn look() {
    let Ok(files) = std::env::var("TOTO_LOOK") else { return };
    for file in files.split(':') {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Some(tables) = read(&text) else {
            println!("######## {file}: text");
            continue;
        };
        println!("######## {file}");
        let mut seen = 0;
        for part in &tables.parts {
            match part {
                Part::Text(text) => text.lines().take(6).for_each(|line| println!("T {line:.150}")),
                Part::Table(id) => {
                    let rows: Vec<Id> = tables.document.children(*id).collect();
                    println!("TABLE of {}", rows.len());
                    seen += 1;
                    if seen > 6 {
                        continue;
                    }
                    for row in rows.iter().take(6) {
                        println!(
                            "  {}",
                            cells(&tables.document, *row)
                                .iter()
                                .map(|(k, v)| format!("{k}=⟨{v:.120}⟩"))
                                .collect::<Vec<_>>()
                                .join(" ")
                        );
                    }
                }
            }
        }
    }
}

fn cells(document: &Document<'_>, row: Id) -> Vec<(String, String)> {
    document
        .children(row)
        .map(|cell| {
            (document.key(document.key_id(cell).unwrap()).to_owned(), document.text(cell).into_owned())
        })
        .collect()
}
