//! Joins the page's modules into a few files, so that a slow network has few requests to wait for.
//!
//! The page's modules are plain: they export only declarations with names, import only named exports,
//! and have no cycles. So each becomes a function that is called once, in an order in which every
//! module comes after those it imports:
//!
//! ```js
//! const $m3 = (() => {
//! const { sameCell } = $m2;
//! …
//! return { Board };
//! })();
//! ```
//!
//! What is imported with `import('…')` becomes a file of its own, fetched when it is first needed. What
//! two of these files need, and the first one does not, is in a file `shared.js`.
//! Anything else is an error, never a broken page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// The text of modules by path.
pub(super) type Modules = BTreeMap<String, String>;

/// A file that a document or a worker starts with.
pub(super) struct Entry {
    pub(super) module: &'static str,
    /// Dynamic imports that are joined with the rest because they are always needed.
    pub(super) always: &'static [&'static str],
}

/// Why modules cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BundleError {
    module: String,
    reason: String,
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.module, self.reason)
    }
}

impl std::error::Error for BundleError {}

/// The files that replace the modules, by path.
pub(super) fn bundle(modules: &Modules, entries: &[Entry]) -> Result<Modules, BundleError> {
    let mut parsed = BTreeMap::new();
    for (number, (path, text)) in modules.iter().enumerate() {
        parsed.insert(path.as_str(), Module::parse(path, number, text)?);
    }
    let mut files = Modules::new();
    for entry in entries.iter().filter(|it| modules.contains_key(it.module)) {
        write_entry(&parsed, entry, &mut files)?;
    }
    Ok(files)
}

/// Writes the file of an entry and of everything that it imports dynamically.
fn write_entry(
    parsed: &BTreeMap<&str, Module>,
    entry: &Entry,
    files: &mut Modules,
) -> Result<(), BundleError> {
    let mut main = Vec::new();
    collect(parsed, entry.module, entry.always, &mut main)?;
    let imports: Vec<String> = main
        .iter()
        .flat_map(|path| &parsed[path].dynamic)
        .cloned()
        .collect();
    let roots: BTreeSet<&str> = imports
        .iter()
        .map(String::as_str)
        .filter(|path| !main.contains(path))
        .collect();
    // A chunk contains what only it needs. A module must not run twice, so what two chunks need goes
    // into a file that both import.
    let mut chunks = BTreeMap::new();
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    for root in roots {
        let mut chunk = Vec::new();
        // Everything inside of a chunk arrives with it.
        collect_all(parsed, root, &mut chunk)?;
        chunk.retain(|path| !main.contains(path));
        for path in &chunk {
            *users.entry(path).or_default() += 1;
        }
        chunks.insert(root, chunk);
    }
    let mut shared = Vec::new();
    for (path, _) in users.iter().filter(|(_, users)| **users > 1) {
        collect(parsed, path, &[], &mut shared)?;
    }
    shared.retain(|path| !main.contains(path));
    let folder = entry
        .module
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let shared_path = format!("{folder}/shared.js");
    if parsed.contains_key(shared_path.as_str()) {
        return Err(BundleError {
            module: shared_path,
            reason: "its path is that of the modules that several chunks need".to_owned(),
        });
    }
    let before = [
        (entry.module, "$main", &main[..]),
        (&*shared_path, "$shared", &shared[..]),
    ];
    files.insert(
        entry.module.to_owned(),
        Bundle {
            parsed,
            path: entry.module,
            modules: &main,
        }
        .text()?
            + &root_exports(&parsed[entry.module])
            + &module_exports(parsed, &main),
    );
    if !shared.is_empty() {
        let file = Bundle {
            parsed,
            path: &shared_path,
            modules: &shared,
        };
        let text =
            file.header(&before[..1], None) + &file.text()? + &module_exports(parsed, &shared);
        files.insert(shared_path.clone(), text);
    }
    for (root, mut chunk) in chunks {
        chunk.retain(|path| !shared.contains(path));
        // Its root may be shared as well; then the file only passes its exports on.
        let file = Bundle {
            parsed,
            path: root,
            modules: &chunk,
        };
        let text = file.header(&before, Some(root)) + &file.text()? + &root_exports(&parsed[root]);
        files.insert(root.to_owned(), text);
    }
    Ok(())
}

/// Exports all modules of a file, for the files that need them.
fn module_exports(parsed: &BTreeMap<&str, Module>, modules: &[&str]) -> String {
    let names: Vec<String> = modules.iter().map(|path| parsed[path].name()).collect();
    format!("export const modules = {{ {} }};\n", names.join(", "))
}

/// Exports what the module exports after which a file is named.
fn root_exports(root: &Module) -> String {
    if root.exports.is_empty() {
        return String::new();
    }
    let exports = root.exports.join(", ");
    format!("export const {{ {exports} }} = {};\n", root.name())
}

/// Adds a module after everything that it imports, and those of its dynamic imports that `always`
/// names.
fn collect<'a>(
    parsed: &'a BTreeMap<&str, Module>,
    path: &str,
    always: &[&str],
    found: &mut Vec<&'a str>,
) -> Result<(), BundleError> {
    visit(
        parsed,
        path,
        &|it| always.contains(&it),
        found,
        &mut Vec::new(),
    )
}

fn collect_all<'a>(
    parsed: &'a BTreeMap<&str, Module>,
    path: &str,
    found: &mut Vec<&'a str>,
) -> Result<(), BundleError> {
    visit(parsed, path, &|_| true, found, &mut Vec::new())
}

fn visit<'a>(
    parsed: &'a BTreeMap<&str, Module>,
    path: &str,
    joins: &dyn Fn(&str) -> bool,
    found: &mut Vec<&'a str>,
    open: &mut Vec<String>,
) -> Result<(), BundleError> {
    if found.contains(&path) {
        return Ok(());
    }
    let error = |reason: String| BundleError {
        module: path.to_owned(),
        reason,
    };
    if open.iter().any(|it| it == path) {
        return Err(error(format!("a cycle of imports: {}", open.join(", "))));
    }
    let Some((path, module)) = parsed.get_key_value(path) else {
        let by = open.last().map_or("", String::as_str);
        return Err(error(format!(
            "imported by {by}, but there is no such file"
        )));
    };
    open.push((*path).to_owned());
    let dynamic = module.dynamic.iter().filter(|it| joins(it));
    for import in module.imports.iter().map(|it| &it.from).chain(dynamic) {
        visit(parsed, import, joins, found, open)?;
    }
    open.pop();
    found.push(path);
    Ok(())
}

/// Modules that become one file.
struct Bundle<'a> {
    parsed: &'a BTreeMap<&'a str, Module>,
    /// The path of the file.
    path: &'a str,
    modules: &'a [&'a str],
}

impl Bundle<'_> {
    /// Imports what the modules, and the root of the file, need from files with other modules: their
    /// paths, a name for each and what they contain.
    fn header(&self, before: &[(&str, &str, &[&str])], root: Option<&str>) -> String {
        let imports = |path: &&str| self.parsed[*path].imports.iter().map(|it| it.from.as_str());
        let needed: BTreeSet<&str> = (self.modules.iter().flat_map(imports))
            .chain(root)
            .collect();
        let mut text = String::new();
        for (path, name, modules) in before {
            let from_there = needed.iter().filter(|it| modules.contains(it));
            let names: Vec<String> = from_there.map(|it| self.parsed[it].name()).collect();
            if !names.is_empty() {
                let there = relative(self.path, path);
                let _ = writeln!(text, "import {{ modules as {name} }} from '{there}';");
                let _ = writeln!(text, "const {{ {} }} = {name};", names.join(", "));
            }
        }
        text
    }

    /// The modules one after the other.
    fn text(&self) -> Result<String, BundleError> {
        let mut text = String::new();
        for path in self.modules {
            let module = &self.parsed[path];
            let _ = writeln!(text, "const {} = (() => {{", module.name());
            for import in &module.imports {
                let from = &self.parsed[import.from.as_str()];
                for (name, _) in &import.names {
                    if !from.exports.contains(name) {
                        let reason = format!("{} does not export {name}", import.from);
                        return Err(BundleError {
                            module: module.path.clone(),
                            reason,
                        });
                    }
                }
                if !import.names.is_empty() {
                    let names = import.names.iter().map(|(name, local)| {
                        if name == local {
                            name.clone()
                        } else {
                            format!("{name}: {local}")
                        }
                    });
                    let names: Vec<String> = names.collect();
                    let _ = writeln!(text, "const {{ {} }} = {};", names.join(", "), from.name());
                }
            }
            for part in &module.body {
                match part {
                    Part::Text(code) => text.push_str(code),
                    // As if the module were where it is written.
                    Part::Here => {
                        let here = relative(self.path, path);
                        let _ = write!(text, "new URL('{here}', import.meta.url).href");
                    }
                    Part::Import(target) if self.modules.contains(&target.as_str()) => {
                        let _ = write!(
                            text,
                            "Promise.resolve({})",
                            self.parsed[target.as_str()].name()
                        );
                    }
                    Part::Import(target) => {
                        let _ = write!(text, "import('{}')", relative(self.path, target));
                    }
                }
            }
            let exports: Vec<&str> = module.exports.iter().map(String::as_str).collect();
            let _ = writeln!(text, "\nreturn {{ {} }};\n}})();", exports.join(", "));
        }
        Ok(text)
    }
}

/// A module's code without comments and indentation.
#[derive(Debug)]
struct Module {
    path: String,
    number: usize,
    imports: Vec<Import>,
    /// Paths of `import('…')`.
    dynamic: Vec<String>,
    exports: Vec<String>,
    body: Vec<Part>,
}

#[derive(Debug)]
struct Import {
    from: String,
    /// The exported and the local name of each.
    names: Vec<(String, String)>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    /// `import.meta.url`
    Here,
    /// `import('…')` of this module
    Import(String),
}

impl Module {
    /// The variable that holds its exports. No module of the page uses names with `$`.
    fn name(&self) -> String {
        format!("$m{}", self.number)
    }

    fn parse(path: &str, number: usize, text: &str) -> Result<Self, BundleError> {
        let error = |reason: String| BundleError {
            module: path.to_owned(),
            reason,
        };
        let mut module = Self {
            path: path.to_owned(),
            number,
            imports: Vec::new(),
            dynamic: Vec::new(),
            exports: Vec::new(),
            body: Vec::new(),
        };
        let mut tokens = tokens(text)
            .map_err(|reason| error(reason.to_owned()))?
            .into_iter()
            .peekable();
        let mut out = String::new();
        while let Some(token) = tokens.next() {
            let Token::Code(mut code) = token else {
                out.push_str(token.text());
                continue;
            };
            while let Some((at, word)) = keyword(&code) {
                let after = code[at + word.len()..].trim_start().to_owned();
                out.push_str(&code[..at]);
                if word == "export" {
                    let name = declared(&after).ok_or_else(|| {
                        let line = after.lines().next().unwrap_or_default();
                        error(format!("expected 'export' of a function, class or const with a name, found '{line}'"))
                    })?;
                    module.exports.push(name.to_owned());
                    code = after;
                } else if let Some(rest) = after.strip_prefix(".meta.url") {
                    module.body.push(Part::Text(std::mem::take(&mut out)));
                    module.body.push(Part::Here);
                    rest.clone_into(&mut code);
                } else if after == "(" {
                    // `import('…')` if a text follows, an address that is computed otherwise.
                    let Some(Token::Text(target)) = tokens.peek() else {
                        out.push_str("import(");
                        break;
                    };
                    let target = resolve(path, unquoted(target))
                        .ok_or_else(|| error(format!("cannot find {target}")))?;
                    tokens.next();
                    let rest = match tokens.next() {
                        Some(Token::Code(code)) if code.starts_with(')') => code[1..].to_owned(),
                        _ => {
                            return Err(error(
                                "expected ')' after the module of an import".to_owned(),
                            ));
                        }
                    };
                    module.dynamic.push(target.clone());
                    module.body.push(Part::Text(std::mem::take(&mut out)));
                    module.body.push(Part::Import(target));
                    code = rest;
                } else if after.starts_with('(') {
                    out.push_str("import");
                    code = after;
                } else {
                    let names = after.trim_end();
                    let names = if names.is_empty() {
                        ""
                    } else {
                        let inner = names
                            .strip_prefix('{')
                            .and_then(|it| it.trim_end().strip_suffix("from"));
                        let inner = inner.and_then(|it| it.trim_end().strip_suffix('}'));
                        inner.ok_or_else(|| {
                            error(format!(
                                "expected 'import {{ … }} from', found 'import {names}'"
                            ))
                        })?
                    };
                    let Some(Token::Text(from)) = tokens.next() else {
                        return Err(error("expected a module to import from".to_owned()));
                    };
                    let from = resolve(path, unquoted(&from))
                        .ok_or_else(|| error(format!("cannot find {from}")))?;
                    let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
                    let names = names.map(|name| {
                        let (name, local) = name.split_once(" as ").unwrap_or((name, name));
                        (name.trim().to_owned(), local.trim().to_owned())
                    });
                    module.imports.push(Import {
                        from,
                        names: names.collect(),
                    });
                    code = match tokens.next() {
                        Some(Token::Code(rest)) => rest
                            .strip_prefix(';')
                            .unwrap_or(&rest)
                            .trim_start()
                            .to_owned(),
                        None => String::new(),
                        Some(_) => return Err(error("expected ';' after an import".to_owned())),
                    };
                }
            }
            // `import(` at the end of the code was written above.
            if keyword(&code).is_none() {
                out.push_str(&code);
            }
        }
        module.body.push(Part::Text(out));
        Ok(module)
    }
}

/// The first `import` or `export` that stands alone.
fn keyword(code: &str) -> Option<(usize, &'static str)> {
    let part_of_name = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let mut from = 0;
    loop {
        let found = ["import", "export"]
            .into_iter()
            .filter_map(|word| code[from..].find(word).map(|at| (from + at, word)))
            .min()?;
        let (at, word) = found;
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        let is_name = before.is_some_and(part_of_name)
            || after.is_some_and(|c| (part_of_name(c) && c != '.') || c == ':');
        if !is_name {
            return Some(found);
        }
        from = at + word.len();
    }
}

/// The name of a declaration.
fn declared(code: &str) -> Option<&str> {
    let code = code.strip_prefix("async ").unwrap_or(code);
    let rest = ["function ", "function* ", "class ", "const "]
        .iter()
        .find_map(|word| code.strip_prefix(word))?;
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

/// A part of a script.
#[derive(Debug)]
enum Token {
    Code(String),
    /// A string in quotes.
    Text(String),
    /// A part of a template, or a regular expression.
    Verbatim(String),
}

impl Token {
    fn text(&self) -> &str {
        match self {
            Self::Code(text) | Self::Text(text) | Self::Verbatim(text) => text,
        }
    }
}

/// A script in parts, without its comments and indentation.
fn tokens(text: &str) -> Result<Vec<Token>, &'static str> {
    let mut tokens = Vec::new();
    let mut code = String::new();
    // For each open template, how many braces are open in its current expression.
    let mut templates: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let end = rest.find("*/").ok_or("a comment does not end")? + 2;
                // It separated what is on its sides, and may have ended a line.
                if code.chars().next_back().is_some_and(|c| !c.is_whitespace()) {
                    code.push(if rest[..end].contains('\n') {
                        '\n'
                    } else {
                        ' '
                    });
                }
                rest = &rest[end..];
                continue;
            }
            '/' if begins_pattern(&code, tokens.last()) => pattern_length(rest)?,
            '"' | '\'' => quoted_length(rest, c)?,
            '`' => {
                templates.push(0);
                template_length(&rest[1..])? + 1
            }
            '{' => {
                if let Some(open) = templates.last_mut() {
                    *open += 1;
                }
                0
            }
            '}' => match templates.last_mut() {
                Some(0) => template_length(&rest[1..])? + 1,
                Some(open) => {
                    *open -= 1;
                    0
                }
                None => 0,
            },
            _ => 0,
        };
        if length == 0 {
            // One line break is as good as many with spaces after them.
            let blank = code.ends_with('\n') || (code.is_empty() && tokens.is_empty());
            if !(c.is_whitespace() && blank) {
                if c == '\n' {
                    code.truncate(code.trim_end_matches(' ').len());
                }
                code.push(c);
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        tokens.push(Token::Code(std::mem::take(&mut code)));
        let part = rest[..length].to_owned();
        if (c == '`' || c == '}') && part.ends_with('`') {
            templates.pop();
        }
        tokens.push(if c == '"' || c == '\'' {
            Token::Text(part)
        } else {
            Token::Verbatim(part)
        });
        rest = &rest[length..];
    }
    if !templates.is_empty() {
        return Err("a template does not end");
    }
    tokens.push(Token::Code(code));
    Ok(tokens)
}

/// Whether a slash begins a regular expression here: it does unless a value comes before it.
fn begins_pattern(code: &str, last: Option<&Token>) -> bool {
    let code = code.trim_end();
    let Some(before) = code.chars().next_back() else {
        return last.is_none_or(|last| last.text().ends_with("${"));
    };
    if before.is_alphanumeric() || "_$".contains(before) {
        let word = code
            .rsplit(|c: char| !c.is_alphanumeric() && !"_$".contains(c))
            .next();
        return matches!(
            word,
            Some("return" | "typeof" | "case" | "of" | "in" | "await" | "yield")
        );
    }
    !")]}".contains(before)
}

fn quoted_length(text: &str, quote: char) -> Result<usize, &'static str> {
    length_until(&text[1..], |c, _| c == quote, true)
        .map(|it| it + 2)
        .ok_or("a string does not end")
}

/// The length of a template's text with the backtick or `${` that ends it.
fn template_length(text: &str) -> Result<usize, &'static str> {
    let end = length_until(text, |c, rest| c == '`' || rest.starts_with("${"), false)
        .ok_or("a template does not end")?;
    Ok(end + if text[end..].starts_with('`') { 1 } else { 2 })
}

fn pattern_length(text: &str) -> Result<usize, &'static str> {
    let mut in_class = false;
    let end = length_until(
        &text[1..],
        |c, _| {
            in_class = c == '[' || (in_class && c != ']');
            c == '/' && !in_class
        },
        true,
    );
    Ok(end.ok_or("a regular expression does not end")? + 2)
}

/// The number of bytes before the first character for which `ends` holds, skipping escaped ones.
fn length_until(
    text: &str,
    mut ends: impl FnMut(char, &str) -> bool,
    one_line: bool,
) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if one_line && c == '\n' {
            return None;
        } else if ends(c, &text[at..]) {
            return Some(at);
        }
    }
    None
}

fn unquoted(text: &str) -> &str {
    &text[1..text.len() - 1]
}

/// The path of a module from the path of the one that imports it.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if !target.starts_with('.') {
        return None;
    }
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The path to a file as a relative address in another file.
fn relative(from: &str, to: &str) -> String {
    let up = from.matches('/').count();
    let prefix = if up == 0 {
        "./".to_owned()
    } else {
        "../".repeat(up)
    };
    format!("{prefix}{to}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ENTRY: Entry = Entry {
        module: "a/main.js",
        always: &["b/always.js"],
    };

    fn modules(files: &[(&str, &str)]) -> Modules {
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    fn code(text: &str) -> String {
        tokens(text).unwrap().iter().map(Token::text).collect()
    }

    #[test]
    fn comments_go_and_texts_stay() {
        let cases = [
            ("a; // 'b'\n  /* `c` */ d;", "a;\nd;"),
            ("const x = 'it // is'; y", "const x = 'it // is'; y"),
            (
                "`a // ${b /* c */ + `/*${d}*/`} //e`",
                "`a // ${b  + `/*${d}*/`} //e`",
            ),
            ("`${ { a: '}' }.a }`", "`${ { a: '}' }.a }`"),
            (
                "x.replace(/[/'\"]/g, '') / 2 // half",
                "x.replace(/[/'\"]/g, '') / 2",
            ),
            (
                "return /\\/'/.test(a) ? b / c : d",
                "return /\\/'/.test(a) ? b / c : d",
            ),
            ("`a\n  b`", "`a\n  b`"),
            ("'a' / b / 'c'", "'a' / b / 'c'"),
            ("'\\'' + \"//\"", "'\\'' + \"//\""),
        ];
        for (text, clean) in cases {
            assert_eq!(code(text).trim_end(), clean, "{text}");
        }
        for broken in ["'a", "`a", "`${a", "/* a", "= /a\n/"] {
            assert!(tokens(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn modules_come_after_what_they_import() {
        let files = modules(&[
            (
                "a/main.js",
                "import { b as c,\n two } from '../b/b.js';\nimport '../b/effect.js';\n\
                 export const d = () => import('../later.js');\nimport('../b/always.js');\n\
                 export async function f() {}\nnew Worker(new URL('./w.js', import.meta.url));\n\
                 import(address);",
            ),
            (
                "b/b.js",
                "import { two as one } from '../two.js';\nexport const b = 1;\nexport const two = one;",
            ),
            ("b/effect.js", "log();"),
            ("b/always.js", "export class Always {}"),
            ("two.js", "export function two() {}"),
            (
                "later.js",
                "import { two } from './two.js';\nimport { deep } from './deep.js';\n\
                 export const later = two;",
            ),
            ("deep.js", "export const deep = 2;"),
            ("unused.js", "export const unused = 3;"),
        ]);
        let bundled = bundle(&files, &[ENTRY]).unwrap();
        assert_eq!(
            bundled.keys().collect::<Vec<_>>(),
            ["a/main.js", "later.js"]
        );
        let main = &bundled["a/main.js"];
        let at = |part: &str| {
            main.find(part)
                .unwrap_or_else(|| panic!("{part} in {main}"))
        };
        assert!(at("function two()") < at("const b = 1") && at("const b = 1") < at("const d ="));
        assert!(at("const { b: c, two } = $m") < at("const d ="));
        assert!(at("class Always") < at("Promise.resolve($m"));
        at("import('../later.js')");
        at("new URL('./w.js', new URL('../a/main.js', import.meta.url).href)");
        at("import(address)");
        at("return { d, f };");
        at("export const { d, f } = $m0;");
        assert!(!main.contains("unused") && !main.contains("deep = 2"));
        let later = &bundled["later.js"];
        assert!(
            later.starts_with("import { modules as $main } from './a/main.js';\n"),
            "{later}"
        );
        assert!(
            later.contains("deep = 2") && !later.contains("function two()"),
            "{later}"
        );
    }

    #[test]
    fn what_two_chunks_need_runs_once() {
        let files = modules(&[
            ("a/main.js", "import('../x.js');\nimport('../y.js');"),
            (
                "x.js",
                "import { shared } from './shared.js';\nexport const x = shared;",
            ),
            (
                "y.js",
                "import { shared } from './shared.js';\nexport const y = shared;",
            ),
            ("shared.js", "export const shared = {};"),
        ]);
        let bundled = bundle(&files, &[ENTRY]).unwrap();
        let with: Vec<_> = bundled
            .iter()
            .filter(|(_, text)| text.contains("shared = {}"))
            .map(|(path, _)| path)
            .collect();
        assert_eq!(with, ["a/shared.js"]);
        for chunk in ["x.js", "y.js"] {
            let import = "import { modules as $shared } from './a/shared.js';";
            assert!(bundled[chunk].contains(import), "{}", bundled[chunk]);
        }
    }

    #[test]
    fn a_shared_root_is_passed_on() {
        let files = modules(&[
            (
                "a/main.js",
                "import { one } from '../one.js';\nimport('../x.js');\nimport('../y.js');",
            ),
            (
                "x.js",
                "import { y } from './y.js';\nexport const x = () => [y, import('./y.js')];",
            ),
            (
                "y.js",
                "import { one } from './one.js';\nexport const y = one;",
            ),
            ("one.js", "export const one = 1;"),
        ]);
        let bundled = bundle(&files, &[ENTRY]).unwrap();
        let shared = &bundled["a/shared.js"];
        assert!(shared.starts_with("import { modules as $main } from '../a/main.js';\n"));
        assert!(shared.contains("const y = one"), "{shared}");
        assert!(!shared.contains("const one = 1"), "{shared}");
        let y = &bundled["y.js"];
        assert!(!y.contains("const y = one"), "{y}");
        assert!(y.contains("export const { y } = $m"), "{y}");
        assert!(bundled["x.js"].contains("import('./y.js')"));
    }

    #[test]
    fn what_cannot_be_joined_is_an_error() {
        let reason = |text: &str| {
            let files = modules(&[
                ("a/main.js", text),
                (
                    "x.js",
                    "import { y } from './a/main.js';\nexport const x = 1;",
                ),
            ]);
            bundle(&files, &[ENTRY]).unwrap_err().to_string()
        };
        for (text, part) in [
            ("export default 1;", "expected 'export' of"),
            ("export { a };", "expected 'export' of"),
            ("export * from './a.js';", "expected 'export' of"),
            ("import a from '../x.js';", "expected 'import { … } from'"),
            (
                "import * as a from '../x.js';",
                "expected 'import { … } from'",
            ),
            ("import { x } from '../x.js';\nexport const y = 1;", "cycle"),
            ("import { x } from '../gone.js';", "no such file"),
            ("import { x } from 'package';", "cannot find"),
            ("import { x } from '../../x.js';", "cannot find"),
            ("const a = 'b", "does not end"),
        ] {
            let found = reason(text);
            assert!(found.contains(part), "{text}: {found}");
        }
        let files = modules(&[
            ("a/main.js", "import { z } from '../x.js';"),
            ("x.js", "export const x = 1;"),
        ]);
        assert_eq!(
            bundle(&files, &[ENTRY]).unwrap_err().to_string(),
            "a/main.js: x.js does not export z"
        );
    }

    proptest! {
        /// Whatever the text, there is an answer; and what is cleaned stays as it is when cleaned again.
        #[test]
        fn any_text_is_read_or_refused(text in "[a-c'\"`/*\\\\{}$()\\[\\] \n]{0,40}|.{0,20}") {
            if let Ok(parts) = tokens(&text) {
                let clean: String = parts.iter().map(Token::text).collect();
                prop_assert!(clean.len() <= text.len());
            }
            let _ = Module::parse("a/b.js", 0, &text);
        }
    }
}
