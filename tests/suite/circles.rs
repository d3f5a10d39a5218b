//! No circle of more than two files: which file uses which is read from the paths that each names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// A module's path: `["filter", "fold"]`.
type Module = Vec<String>;

/// A file: its module, its text without tests and comments.
fn files(directory: &Path, module: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let below: Module = module.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() {
            files(&path, &below, found);
        } else if path.extension().is_some_and(|ext| ext == "rs")
            && !["main", "lib", "codegen"].contains(&name.as_str())
        {
            let text = fs::read_to_string(&path).unwrap();
            let tests = text.find("#[cfg(test)]\n").or_else(|| text.find("#[cfg(all(test,"));
            let code = &text[..tests.unwrap_or(text.len())];
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code = code.collect::<Vec<_>>().join("\n");
            found.insert(if name == "mod" { module.clone() } else { below }, code);
        }
    }
}

/// Every path of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, sign) in inner.char_indices().chain([(inner.len(), ',')]) {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        if sign == ',' && depth == 0 {
            found.extend(expanded(&inner[from..at]).into_iter().filter(|path| !path.is_empty()));
            from = at + 1;
        }
    }
    found.into_iter().map(|path| format!("{}{path}", start.trim())).collect()
}

/// What is named by `path` in `module`, from the crate's root.
fn absolute(module: &Module, path: &str, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let path = path.split(" as ").next().unwrap_or_default();
    let mut parts: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
    parts.retain(|part| part != "self");
    let mut base = module.clone();
    match parts.first()?.as_str() {
        "crate" => base = Module::new(),
        "super" => base.truncate(base.len() - parts.iter().take_while(|part| *part == "super").count()),
        first => {
            let child: Module = module.iter().cloned().chain([first.to_owned()]).collect();
            modules.get(&child)?;
        }
    }
    parts.retain(|part| part != "super" && part != "crate");
    base.extend(parts);
    Some(base)
}

/// What a facade hands on from elsewhere (`pub use`), by name.
type HandedOn = HashMap<(Module, String), Module>;

/// The file in which what `path` names stands.
fn home(path: &Module, modules: &BTreeMap<Module, String>, handed_on: &HandedOn) -> Option<Module> {
    let length = (1..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]))?;
    let (module, rest) = path.split_at(length);
    let further = rest.first().and_then(|name| handed_on.get(&(module.to_vec(), name.clone())));
    match further.filter(|further| *further != path) {
        Some(further) => home(further, modules, handed_on).or(Some(module.to_vec())),
        None => Some(module.to_vec()),
    }
}

/// Paths that a `use` names, and whether that is public; and every other path.
type Paths = (Vec<(bool, String)>, Vec<String>);

/// Every path in a text.
fn paths(code: &str) -> Paths {
    let declaration = regex::Regex::new(r"(?m)^\s*(pub(?:\([^)]*\))? )?use ([^;]+);").unwrap();
    let used = declaration.captures_iter(code).flat_map(|found| {
        let is_public = found.get(1).is_some();
        expanded(&found[2]).into_iter().map(move |path| (is_public, path))
    });
    let rest = declaration.replace_all(code, "");
    let named = regex::Regex::new(r"\b[a-z_]+(?:::\w+)+").unwrap();
    let named = named.find_iter(&rest).map(|found| found.as_str().to_owned()).collect();
    (used.collect(), named)
}

fn edges() -> BTreeMap<Module, BTreeSet<Module>> {
    let mut modules = BTreeMap::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &Module::new(), &mut modules);
    let all: BTreeMap<&Module, _> = modules.iter().map(|(module, code)| (module, paths(code))).collect();
    let mut handed_on = HandedOn::new();
    for (module, (used, _)) in &all {
        for (_, path) in used.iter().filter(|(is_public, _)| *is_public) {
            let name = path.rsplit([' ', ':']).next().unwrap_or_default().to_owned();
            if let Some(target) = absolute(module, path, &modules) {
                handed_on.insert(((*module).clone(), name), target);
            }
        }
    }
    let of = |(module, (used, named)): (&&Module, &Paths)| {
        let paths = used.iter().map(|(_, path)| path).chain(named);
        let targets = paths.filter_map(|path| home(&absolute(module, path, &modules)?, &modules, &handed_on));
        ((*module).clone(), targets.filter(|target| target != *module).collect())
    };
    all.iter().map(of).collect()
}

/// Everything that can be reached from `from`.
fn reached(from: &Module, edges: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(module) = waiting.pop() {
        for next in &edges[module] {
            if found.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    found
}

#[test]
fn no_circle_has_more_than_two_files() {
    let edges = edges();
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 500, "hardly a path was understood");
    let reached: BTreeMap<&Module, _> =
        edges.keys().map(|module| (module, reached(module, &edges))).collect();
    let mut wrong = Vec::new();
    for (module, others) in &reached {
        let circle: Vec<String> = others
            .iter()
            .filter(|other| reached[other].contains(*module))
            .map(|path| path.join("/"))
            .collect();
        if circle.len() > 2 {
            wrong.push(circle);
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_form_of_a_path_is_understood() {
    assert_eq!(expanded("a::{b, c::{d, e}, self}"), ["a::b", "a::c::d", "a::c::e", "a::self"]);
    let modules = [&["a"][..], &["a", "b"], &["a", "c"], &["d"]]
        .map(|path| (path.iter().map(|part| (*part).to_owned()).collect::<Module>(), String::new()));
    let modules: BTreeMap<Module, String> = modules.into_iter().collect();
    let module = |path: &str| path.split('/').map(str::to_owned).collect::<Module>();
    let handed_on = HandedOn::from([((module("a"), "X".to_owned()), module("a/c/X"))]);
    for (path, expected) in
        [("super::X", Some("a/c")), ("super::c::Y", Some("a/c")), ("crate::d", Some("d")), ("std::fs", None)]
    {
        let found = absolute(&module("a/b"), path, &modules);
        let found = found.and_then(|path| home(&path, &modules, &handed_on));
        assert_eq!(found, expected.map(module), "{path}");
    }
}
