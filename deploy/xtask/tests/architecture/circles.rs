//! Finds circles of files: files of a crate that import each other, directly or indirectly.
//!
//! An import is a `use` or a path within the code that begins with `crate`, `self`, `super` or the name of a child
//! module. It refers to the file that defines the name: re-exports are followed. A re-export (`pub use`) only counts as
//! an import if its file uses the name too, and a declaration (`mod`) never does. A module that uses its parent while
//! the parent uses it is a circle. Tests are ignored.

use std::collections::{BTreeMap, BTreeSet};

/// A module's names, from the crate's root.
type Module = Vec<String>;

/// The sources of a crate: code by path below `src/`.
pub(crate) type Sources = BTreeMap<String, String>;

/// The circles of a crate, each described by its files and their imports.
pub(crate) fn circles(sources: &Sources) -> Vec<String> {
    let krate = Crate::read(sources);
    let imports = krate.imports();
    let reachable: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|file| (*file, reachable(&imports, file)))
        .collect();
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for (file, others) in &reachable {
        if !others.contains(file) || known.contains(file) {
            continue;
        }
        let circle = others
            .iter()
            .filter(|other| reachable[*other].contains(file));
        let circle: BTreeSet<&str> = circle.copied().collect();
        let arrows = circle.iter().flat_map(|from| {
            let to = imports[from].iter().filter(|to| circle.contains(**to));
            to.map(move |to| format!("    {from} -> {to}"))
        });
        let arrows: Vec<_> = arrows.collect();
        found.push(format!("{} files\n{}", circle.len(), arrows.join("\n")));
        known.extend(circle);
    }
    found
}

/// The files that a file imports, directly or indirectly.
fn reachable<'a>(imports: &BTreeMap<&'a str, BTreeSet<&'a str>>, file: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = imports[file].iter().copied().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(imports[next].iter());
        }
    }
    found
}

struct Crate<'a> {
    files: BTreeMap<Module, File<'a>>,
}

struct File<'a> {
    path: &'a str,
    uses: Vec<Use>,
    /// Qualified paths in the code outside `use` declarations.
    paths: Vec<Module>,
    /// All names in the code outside imports.
    names: BTreeSet<String>,
}

/// One name of a `use`.
struct Use {
    is_public: bool,
    path: Module,
    /// The name that the `use` brings into scope; `*` for all.
    name: String,
}

impl<'a> Crate<'a> {
    fn read(sources: &'a Sources) -> Self {
        let files = sources.iter().filter_map(|(path, code)| {
            let module = module(path)?;
            Some((module, File::read(path, code)))
        });
        Self {
            files: files.collect(),
        }
    }

    fn imports(&self) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let imports = self.files.iter().map(|(module, file)| {
            let uses = file.uses.iter();
            let uses = uses.filter(|one| !one.is_public || file.names.contains(&one.name));
            let paths = uses.map(|one| &one.path).chain(&file.paths);
            let targets = paths.filter_map(|path| self.target(module, path, 0));
            let targets = targets.filter(|target| *target != file.path);
            (file.path, targets.collect())
        });
        imports.collect()
    }

    /// The file that defines the item at a path of a module; `None` for an item of another crate.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<&'a str> {
        let (first, mut rest) = path.split_first()?;
        let mut module = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => from.split_last()?.1.to_vec(),
            child => {
                let module = joined(from, child);
                self.files.get(&module)?;
                module
            }
        };
        while let Some((name, more)) = rest.split_first() {
            if name == "super" {
                module.pop();
            } else if self.files.contains_key(&joined(&module, name)) {
                module.push(name.clone());
            } else {
                return self.definition(&module, name, depth);
            }
            rest = more;
        }
        Some(self.files.get(&module)?.path)
    }

    /// The file that defines a name of a module; re-exports are followed.
    fn definition(&self, module: &Module, name: &str, depth: usize) -> Option<&'a str> {
        let file = self.files.get(module)?;
        let mut exported = file.uses.iter().filter(|one| one.is_public);
        let exported = exported.find(|one| one.name == name);
        match exported.filter(|_| depth < 10) {
            Some(one) => self.target(module, &one.path, depth + 1),
            None => Some(file.path),
        }
    }
}

fn joined(module: &Module, name: &str) -> Module {
    let mut module = module.clone();
    module.push(name.to_owned());
    module
}

/// The module of a file; `None` for tests and for programs, which import their library as another crate.
fn module(path: &str) -> Option<Module> {
    let mut names: Module = path
        .strip_suffix(".rs")?
        .split('/')
        .map(str::to_owned)
        .collect();
    let is_test = names.iter().any(|name| name == "tests");
    if is_test || matches!(names.as_slice(), [main] if main == "main") {
        return None;
    }
    if matches!(names.last()?.as_str(), "mod" | "lib") {
        names.pop();
    }
    Some(names)
}

impl<'a> File<'a> {
    fn read(path: &'a str, code: &str) -> Self {
        let tokens = tokens(code);
        let mut file = File {
            path,
            uses: Vec::new(),
            paths: Vec::new(),
            names: BTreeSet::new(),
        };
        let mut at = 0;
        while at < tokens.len() {
            at = file.take(&tokens, at);
        }
        file
    }

    /// Reads an item or a token, and returns where the next begins.
    fn take(&mut self, tokens: &[String], at: usize) -> usize {
        const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
        let says = |at: usize, words: &[&str]| {
            let there = tokens.get(at..at + words.len());
            there.is_some_and(|there| there.iter().zip(words).all(|(one, word)| one == word))
        };
        if says(at, &TEST) {
            return end_of_item(tokens, at + TEST.len());
        }
        let before = at.checked_sub(1).map(|before| tokens[before].as_str());
        if says(at, &["use"]) && !says(at + 1, &["<"]) && before != Some("+") {
            let end = at
                + tokens[at..]
                    .iter()
                    .take_while(|token| *token != ";")
                    .count();
            let is_public = matches!(before, Some("pub" | ")"));
            self.take_use(&tokens[at + 1..end], is_public);
            return end + 1;
        }
        if !is_name(&tokens[at]) {
            return at + 1;
        }
        if says(at, &["pub", "(", "in"]) {
            // The path of a visibility, such as `pub(in path)`, is not an import.
            return at
                + tokens[at..]
                    .iter()
                    .take_while(|token| *token != ")")
                    .count();
        }
        self.names.insert(tokens[at].clone());
        if matches!(before, Some("::" | ".")) {
            return at + 1;
        }
        let mut path = vec![tokens[at].clone()];
        let mut next = at + 1;
        while says(next, &["::"]) && tokens.get(next + 1).is_some_and(|token| is_name(token)) {
            path.push(tokens[next + 1].clone());
            next += 2;
        }
        if path.len() > 1 {
            self.names.extend(path.iter().cloned());
            self.paths.push(path);
        }
        next
    }

    /// Reads the tree of a `use`.
    fn take_use(&mut self, tree: &[String], is_public: bool) {
        let mut prefixes: Vec<Module> = Vec::new();
        let mut path = Module::new();
        let mut alias = None;
        let mut finish = |path: &Module, alias: Option<String>| {
            let mut path = path.clone();
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let Some(last) = path.last().cloned() else {
                return;
            };
            let name = alias.unwrap_or(last);
            self.uses.push(Use {
                is_public,
                path,
                name,
            });
        };
        let mut tokens = tree.iter();
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "::" => {}
                "as" => alias = tokens.next().cloned(),
                "{" => prefixes.push(path.clone()),
                "," | "}" => {
                    let prefix = prefixes.last().cloned().unwrap_or_default();
                    if path.len() > prefix.len() {
                        finish(&path, alias.take());
                    }
                    path = prefix;
                    if token == "}" {
                        prefixes.pop();
                        // The path continues in the enclosing group, which must not be recorded twice.
                        path = prefixes.last().cloned().unwrap_or_default();
                    }
                }
                name => path.push(name.to_owned()),
            }
        }
        if prefixes.is_empty() && !tree.iter().any(|token| token == "{") {
            finish(&path, alias);
        }
    }
}

fn is_name(token: &str) -> bool {
    let mut letters = token.chars();
    letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// The end of the item that begins here: after its `;` or its block.
fn end_of_item(tokens: &[String], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at;
                }
            }
            ";" if depth == 0 => return at,
            _ => {}
        }
    }
    at
}

/// Names, `::` and single characters, without comments and literals.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("//") {
            2 + comment.find('\n').unwrap_or(comment.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(length) = literal(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            found.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                found.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// The length of the string or character literal that the code begins with, if it does.
fn literal(code: &str) -> Option<usize> {
    let body = code.trim_start_matches(['b', 'r', 'c']);
    let prefix = code.len() - body.len();
    let hashes = body.len() - body.trim_start_matches('#').len();
    let is_raw = code[..prefix].ends_with('r');
    if is_raw && body[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(
            code[start..]
                .find(&end)
                .map_or(code.len(), |at| start + at + end.len()),
        );
    }
    if body.starts_with('"') {
        let mut is_escaped = false;
        let end = body.char_indices().skip(1).find(|(_, letter)| {
            let is_end = *letter == '"' && !is_escaped;
            is_escaped = *letter == '\\' && !is_escaped;
            is_end
        });
        return Some(end.map_or(code.len(), |(at, _)| prefix + at + 1));
    }
    let letter = code.strip_prefix('\'')?;
    let length = match letter.strip_prefix('\\') {
        Some(escaped) => 2 + escaped.chars().next()?.len_utf8(),
        None => 1 + letter.chars().next()?.len_utf8(),
    };
    let end = code[length..].find('\'')?;
    // A lifetime has no closing quote; an escape of several characters has one soon.
    let is_letter = end == 0 || letter.starts_with('\\') && end < 12;
    is_letter.then_some(length + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources_of(files: &[(&str, &str)]) -> Sources {
        let files = files.iter();
        files
            .map(|(path, code)| ((*path).to_owned(), (*code).to_owned()))
            .collect()
    }

    #[test]
    fn a_circle_is_found_however_it_is_written() {
        for files in [
            // A circle of `use` declarations, one of them through a re-export.
            [
                ("mod.rs", "pub(crate) use self::a::A; mod a; mod b;"),
                ("a.rs", "use super::b::{self, B as Other}; struct A;"),
                ("b.rs", "use crate::A; struct B;"),
            ],
            // A circle of a parent and its child, by paths within the code.
            [
                ("lib.rs", "mod a; /* crate::a::b */"),
                ("a.rs", "mod b; pub fn f() { b::g::<'_'>(\"x\") }"),
                ("a/b.rs", "pub fn g() { super::f() }"),
            ],
            // A circle through a re-export whose file uses the name too.
            [
                ("lib.rs", "mod a;"),
                ("a/mod.rs", "pub use b::B; mod b; struct C(B);"),
                ("a/b.rs", "pub struct B(Box<super::C>);"),
            ],
        ] {
            let found = circles(&sources_of(&files));
            assert_eq!(found.len(), 1, "{files:?}: {found:?}");
        }
    }

    #[test]
    fn declarations_re_exports_and_tests_make_no_circle() {
        for files in [
            [
                ("lib.rs", "mod a; mod b; pub use a::A;"),
                (
                    "a.rs",
                    "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
                ),
                ("b.rs", "// use crate::b;\nuse crate::A; struct B(A);"),
            ],
            [
                ("lib.rs", "pub mod a; mod b;"),
                (
                    "a.rs",
                    "const TEXT: &str = r#\"use crate::b::B;\"#; use serde::{b, de::{B}};",
                ),
                ("b.rs", "use super::a::TEXT; struct B;"),
            ],
        ] {
            assert_eq!(circles(&sources_of(&files)), [""; 0], "{files:?}");
        }
    }
}
