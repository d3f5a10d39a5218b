use super::super::outline::{HELP, MOST, TABLE, Table, further_down};
use crate::marks::FURTHER;
use crate::{mistake, tokens};

fn of(name: &str, text: &str) -> String {
    let line = further_down([(name, text.as_bytes(), 10)].into_iter());
    line.map_or_else(String::new, |line| line[FURTHER.len()..line.len() - 2].to_owned())
}

#[test]
fn every_pattern_is_one() {
    let table: Table = mistake::parse(TABLE, false).unwrap();
    for language in table.language {
        assert!(language.pattern().is_ok(), "{}: {:?}", language.files, language.pattern());
    }
}

#[test]
fn definitions_are_named_with_their_lines() {
    let rust = "impl<T: Copy> Display for Version<T> {\n    pub(crate) async fn fmt(&self) {\n    }\n}\n\n\
                pub enum Op {\n}\n// fn no\nlet fn_no = 1;\nimpl<T> Far for Away<T>\nwhere\n{\n}\n";
    assert_eq!(
        of("a/b.rs", rust),
        "10 impl Display for Version<T>, 11 fn fmt, 15 enum Op, 19 impl Far for Away<T>"
    );
    for (name, text, expected) in [
        ("x.py", "class A(B):\n    async def f(self):\n\ndef g():\n", "10 class A, 11 def f, 13 def g"),
        (
            "x.ts",
            "export default class A {\n  private async f(a: B): C {\n    if (a) {\n    }\n  }\n}\n\
             export const g = async (x) => {\n};\nconst n = 3;\nexport type T = {\n",
            "10 class A, 11 f, 16 const g, 19 type T",
        ),
        (
            "x.go",
            "func (s *S) F(a int) {\n}\nfunc G() {\ntype T struct {\n",
            "10 func (s *S) F, 12 func G, 13 type T",
        ),
        (
            "X.java",
            "public final class A {\n    public static <T> List<T> f(int a) {\n        return new B(1);\n",
            "10 class A, 11 f",
        ),
        (
            "x.c",
            "static int f(struct a *b,\n             int c)\n{\n    if (x) {\n    g(1);\n}\nstruct s {\n#define M(x) x\n",
            "10 f, 16 struct s, 17 define M",
        ),
        ("x.cpp", "void A::f(int a) {\n  return;\n}\nnamespace n {\n", "10 A::f, 13 namespace n"),
        ("x.rb", "class A\n  def ok?\n", "10 class A, 11 def ok?"),
        ("x.php", "final class A {\n    public static function f() {\n", "10 class A, 11 function f"),
        ("x.sh", "a_b() {\n", "10 a_b"),
        ("README.md", "## One two\ntext\n### Three\n", "10 ## One two, 12 ### Three"),
        ("Makefile", "all: x\n\tcc\nX := 1\n", "10 all"),
        ("x.sql", "CREATE TABLE IF NOT EXISTS t (\n", "10 TABLE t"),
        ("x.toml", "[a.b]\nc = 1\n[[d]]\n", "10 [a.b], 12 [[d]]"),
        (HELP, "Usage: x\n\nOptions:\n  -a  Aa:\nSEE ALSO\n", "12 Options, 14 SEE ALSO"),
        ("x.unknown", "def f():\n", ""),
    ] {
        assert_eq!(of(name, text), expected, "{name}");
    }
}

#[test]
fn outer_definitions_come_first_where_there_is_not_room_for_all() {
    let many = |indent: &str| (0..200).map(|n| format!("{indent}fn name_{n}() {{}}\n")).collect::<String>();
    let line = of("x.rs", &format!("{}struct Last;\n", many("    ")));
    assert!(line.starts_with("10 fn name_0, ") && line.contains(", 210 struct Last, and "), "{line}");
    assert!(line.contains(" fn name_74, ") && line.contains(" fn name_185, "), "from all parts: {line}");
    let count = tokens::count(line.as_bytes());
    assert!((MOST * 9 / 10..MOST + 10).contains(&count), "{count}: {line}");
    let line = of("x.rs", &format!("{}struct Last;\n", many("")));
    assert!(line.contains(", 210 struct Last, and "), "types first: {line}");
    let two = [("a.rs", b"fn a\n".as_slice(), 5), ("b.rs", b"fn b\nfn c\n", 1)];
    assert_eq!(further_down(two.into_iter()).unwrap(), format!("{FURTHER}5 fn a; b.rs: 1 fn b, 2 fn c)\n"));
}
