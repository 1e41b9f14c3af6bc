//! Writes the static site: the page with the engine for browsers, for any web host.
//!
//! `./site.sh OUT` builds the engine and runs this:
//!
//! ```sh
//! cargo run -p ricochet-wasm --example site -- OUT [URL]
//! ```
//!
//! - Modules and the style sheets of the first document are joined as the server does it, so that the
//!   page has few requests to wait for.
//! - Names change with the content, so hosts and browsers may keep files for ever. Scripts, style
//!   sheets, puzzles and `engine.json` refer to each other and share one hash; all else has its own.
//! - All addresses are relative: the site works in any folder of a host.
//! - `URL`, where the site will be, is needed for the preview picture of shared links: those who
//!   show it want an absolute address.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use ricochet_service::{Answer, Call, Policy, Request};
use serde_json::json;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Files by their path in the site.
type Files = BTreeMap<String, Vec<u8>>;

const ENGINE: &str = "wasm/engine.json";
const EMBED: &str = "embed.html";
const WORKER: &str = "service-worker.js";
/// The style sheets of `index.html` in one file.
const SHEETS: &str = "style/document.css";

/// As the server's, less what a page cannot say of itself.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; media-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
                      form-action 'none'";

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(out) = arguments.next() else {
        return Err("usage: site OUT [URL]".into());
    };
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/public");
    let mut files = Files::new();
    collect(&web, "", &mut files)?;
    files.insert("preview.png".into(), preview()?);
    let site = site(files, arguments.next().as_deref().unwrap_or(""))?;
    let out = PathBuf::from(out);
    let known = !out.exists() || out.read_dir()?.next().is_none() || out.join(WORKER).exists();
    if !known {
        return Err(format!("{} is not empty and not a site", out.display()).into());
    }
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    for (path, bytes) in &site {
        let path = out.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&out))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Reads what browsers need.
fn collect(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with('.') || path.extension().is_some_and(|it| it == "md") {
            continue;
        }
        let place = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{place}/"), files)?;
        } else {
            files.insert(place, fs::read(path)?);
        }
    }
    Ok(())
}

/// The picture of shared links: a position with its solution.
fn preview() -> Result<Vec<u8>> {
    let request =
        r#"{"ask":"draw","puzzle":"1A4B3B2B.1fc1f0c0.B9c","kind":"png","cell":40,"solution":true}"#;
    let answer = Call::new(&Policy::default()).answer(&Request::from_json(request)?)?;
    let Answer::Draw(picture) = answer else {
        return Err("a picture was asked for".into());
    };
    picture.bytes().ok_or_else(|| "the picture is empty".into())
}

/// Everything under its new name, with the files that only a site has.
fn site(mut files: Files, url: &str) -> Result<Files> {
    let engine = files
        .remove(ENGINE)
        .ok_or("there is no engine: run ./wasm.sh first")?;
    let mut page = text(files.remove("index.html").ok_or("there is no index.html")?)?;
    // The board alone, for frames on other pages: `embed.html#LINE`.
    let mut embed = text(files.remove(EMBED).unwrap_or_default())?;
    let worker = text(files.remove(WORKER).ok_or("there is no service worker")?)?;

    join(&mut page, &mut files)?;

    // Names by content first, as `engine.json` and the style sheets may hold them.
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (path, bytes) in files.iter().filter(|(path, _)| !is_bundled(path)) {
        names.insert(path.clone(), hashed(path, &hash([bytes.as_slice()])));
    }
    let mut engine: serde_json::Value = serde_json::from_slice(&engine)?;
    for kind in ["simd", "portable", "pictures"] {
        if let Some(file) = engine.get(kind).and_then(|file| file.as_str()) {
            let name = names
                .get(&format!("wasm/{file}"))
                .ok_or("engine.json names a file that is not there")?;
            engine[kind] = name.trim_start_matches("wasm/").into();
        }
    }
    engine["server"] = false.into();
    engine["offline"] = WORKER.into();
    files.insert(ENGINE.into(), engine.to_string().into_bytes());

    let bundled = || files.iter().filter(|(path, _)| is_bundled(path));
    let version = hash(bundled().flat_map(|(path, bytes)| [path.as_bytes(), bytes.as_slice()]));
    let bundle: Vec<String> = bundled().map(|(path, _)| path.clone()).collect();
    names.extend(
        bundle
            .into_iter()
            .map(|path| (path.clone(), hashed(&path, &version))),
    );

    let mut site = Files::new();
    for (path, bytes) in files {
        let bytes = if ending(&path) == "js" {
            rename_in_script(&text(bytes)?, &version).into_bytes()
        } else {
            bytes
        };
        site.insert(names[&path].clone(), bytes);
    }

    for (path, name) in &names {
        for page in [&mut page, &mut embed] {
            *page = page.replace(&format!("=\"{path}\""), &format!("=\"{name}\""));
        }
    }
    let manifest = manifest(&names)?;
    site.insert("manifest.webmanifest".into(), manifest.into_bytes());
    page = page.replace("</title>", &format!("</title>\n{}", head(&names, url)?));

    let policy = format!("</title>\n{}", policy());
    embed = embed.replace("</title>", &policy);

    let kept: Vec<&str> = ["./", EMBED, "manifest.webmanifest"]
        .into_iter()
        .chain(names.values().map(String::as_str))
        .collect();
    let version = hash(
        [page.as_bytes(), embed.as_bytes(), version.as_bytes()]
            .into_iter()
            .chain(kept.iter().map(|name| name.as_bytes())),
    );
    let worker = worker
        .replace("'VERSION'", &json!(version).to_string())
        .replace("['FILES']", &json!(kept).to_string());
    site.insert(WORKER.into(), worker.into_bytes());
    site.insert("index.html".into(), page.into_bytes());
    site.insert(EMBED.into(), embed.into_bytes());
    Ok(site)
}

/// Joins modules into the files that the server sends as well, and the style sheets of the document.
fn join(page: &mut String, files: &mut Files) -> Result<()> {
    let mut modules = BTreeMap::new();
    for (path, bytes) in &*files {
        if ending(path) == "js" {
            modules.insert(path.clone(), text(bytes.clone())?);
        }
    }
    let joined = ricochet_server::join_modules(&modules)?;
    // Classic scripts stay as they are.
    files.retain(|path, _| {
        ending(path) != "js" || page.contains(&format!("<script src=\"{path}\""))
    });
    files.extend(
        joined
            .into_iter()
            .map(|(path, text)| (path, text.into_bytes())),
    );

    let mut sheets = Vec::new();
    let mut names = Vec::new();
    let mut lines = Vec::new();
    for line in page.lines() {
        let trimmed = line.trim();
        let sheet = trimmed
            .strip_prefix("<link rel=\"stylesheet\" href=\"")
            .and_then(|rest| rest.split('"').next());
        if let Some(path) = sheet {
            if names.is_empty() {
                lines.push("    <link rel=\"stylesheet\" href=\"SHEETS\" />".to_owned());
            }
            sheets.extend(files.get(path).ok_or("a style sheet is not there")?);
            let name = path.trim_start_matches("style/").trim_end_matches(".css");
            names.push(name.to_owned());
        } else if !trimmed.starts_with("<link rel=\"modulepreload\"") {
            lines.push(line.to_owned());
        }
    }
    let link = format!("\"{SHEETS}\" data-sheets=\"{}\"", names.join(" "));
    *page = lines.join("\n").replace("\"SHEETS\"", &link);
    if !names.is_empty() {
        files.insert(SHEETS.to_owned(), sheets);
    }
    Ok(())
}

fn policy() -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\" />")
}

/// What only a page without a server says in its head.
fn head(names: &BTreeMap<String, String>, url: &str) -> Result<String> {
    let named = |path: &str| names.get(path).ok_or_else(|| format!("there is no {path}"));
    let slash = if url.is_empty() || url.ends_with('/') {
        ""
    } else {
        "/"
    };
    let mut lines = vec![
        policy(),
        "<link rel=\"manifest\" href=\"manifest.webmanifest\" />".to_owned(),
        format!("<link rel=\"apple-touch-icon\" href=\"{}\" />", named("icons/icon-192.png")?),
        "<meta property=\"og:type\" content=\"website\" />".to_owned(),
        "<meta property=\"og:title\" content=\"Ricochet Robots\" />".to_owned(),
        "<meta property=\"og:description\" content=\"Play, analyse and set up Ricochet Robots, with a solver that proves the shortest way.\" />".to_owned(),
        format!("<meta property=\"og:image\" content=\"{url}{slash}{}\" />", named("preview.png")?),
        "<meta name=\"twitter:card\" content=\"summary\" />".to_owned(),
    ];
    if !url.is_empty() {
        lines.push(format!("<meta property=\"og:url\" content=\"{url}\" />"));
    }
    Ok(lines
        .iter()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// What makes the site installable.
fn manifest(names: &BTreeMap<String, String>) -> Result<String> {
    let icon = |size: u32, purpose: &str| -> Result<serde_json::Value> {
        let path = format!(
            "icons/icon-{size}{}.png",
            if purpose == "maskable" {
                "-maskable"
            } else {
                ""
            }
        );
        let name = names
            .get(&path)
            .ok_or_else(|| format!("there is no {path}"))?;
        Ok(
            json!({"src": name, "sizes": format!("{size}x{size}"), "type": "image/png", "purpose": purpose}),
        )
    };
    let manifest = json!({
        "name": "Ricochet Robots",
        "short_name": "Ricochet",
        "description": "Play, analyse and set up Ricochet Robots.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf7f0",
        "theme_color": "#faf7f0",
        "icons": [icon(192, "any")?, icon(512, "any")?, icon(512, "maskable")?],
    });
    Ok(serde_json::to_string_pretty(&manifest)?)
}

/// Whether a file refers to others of its kind or is named by scripts, so that all of them share one hash.
fn is_bundled(path: &str) -> bool {
    matches!(ending(path), "js" | "css" | "json" | "txt")
}

/// What follows the last dot.
fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// `board/board.js` becomes `board/board.HASH.js`.
fn hashed(path: &str, hash: &str) -> String {
    match path.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}.{hash}.{ending}"),
        None => format!("{path}.{hash}"),
    }
}

/// Puts the hash into every string that ends like a bundled file and has a folder in it: imports,
/// addresses, and templates of them.
fn rename_in_script(script: &str, hash: &str) -> String {
    let mut renamed = String::with_capacity(script.len() + 1024);
    let mut rest = script;
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let quote = &rest[start..=start];
        let after = &rest[start + 1..];
        let end = after.find(quote).unwrap_or(after.len());
        let inside = &after[..end];
        if is_bundled(inside) && inside.contains('/') && !inside.contains(char::is_whitespace) {
            renamed.push_str(&rest[..=start]);
            renamed.push_str(&hashed(inside, hash));
            rest = &after[end..];
            let closed = rest.len().min(1);
            renamed.push_str(&rest[..closed]);
            rest = &rest[closed..];
        } else {
            // Apostrophes of comments open no string: go on behind this one quote.
            renamed.push_str(&rest[..=start]);
            rest = after;
        }
    }
    renamed.push_str(rest);
    renamed
}

fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    format!("{:016x}", hasher.finish())[..10].to_owned()
}

fn text(bytes: Vec<u8>) -> Result<String> {
    Ok(String::from_utf8(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_templates_are_renamed_and_words_are_not() {
        let script = "// it's the player's\nimport { a } from './a/b.js';\nimport('../c.js');\n\
                      const href = `style/${name}.css`; say('read it in puzzle.json', \"x/y.js\");";
        let renamed = rename_in_script(script, "1f");
        for part in [
            "'./a/b.1f.js'",
            "'../c.1f.js'",
            "`style/${name}.1f.css`",
            "'read it in puzzle.json'",
            "\"x/y.1f.js\"",
            "it's the player's\n",
        ] {
            assert!(renamed.contains(part), "{part} in {renamed}");
        }
    }

    /// The smallest page that has all that a site needs.
    fn page(script: &str) -> Files {
        let icons = [
            "icons/icon-192.png",
            "icons/icon-512.png",
            "icons/icon-512-maskable.png",
            "preview.png",
        ];
        let mut files: Files = icons.map(|path| (path.to_owned(), path.into())).into();
        files.insert(
            "index.html".into(),
            "<title>x</title>\n<link rel=\"stylesheet\" href=\"style/a.css\" />\n<link rel=\"stylesheet\" href=\"style/b.css\" />\n\
             <link rel=\"modulepreload\" href=\"app/one.js\" />\n<script src=\"app/app.js\">"
                .into(),
        );
        files.insert("app/app.js".into(), script.into());
        files.insert("app/one.js".into(), "export const one = 1;".into());
        files.insert("app/two.js".into(), "export const one = 2;".into());
        files.insert("style/a.css".into(), "a{}".into());
        files.insert("style/b.css".into(), "b{}".into());
        files.insert("wasm/ricochet.wasm".into(), "engine".into());
        files.insert(ENGINE.into(), r#"{"simd": "ricochet.wasm"}"#.into());
        files.insert(
            WORKER.into(),
            "const version = 'VERSION', files = ['FILES'];".into(),
        );
        files.insert(
            EMBED.into(),
            "<title>x</title><script src=\"app/app.js\">".into(),
        );
        files
    }

    #[test]
    fn names_follow_the_content() {
        let [script, changed] = [
            "import { one } from './one.js';\nexport const app = one;\n",
            "import { one } from './two.js';\nexport const app = one;\n",
        ];
        let one = site(page(script), "").unwrap();
        let other = site(page(changed), "").unwrap();
        let names = |site: &Files, ending: &str| -> Vec<String> {
            site.keys()
                .filter(|name| name.ends_with(ending))
                .cloned()
                .collect()
        };
        assert_eq!(one, site(page(script), "").unwrap());
        assert_eq!(
            names(&one, ".wasm"),
            names(&other, ".wasm"),
            "what did not change keeps its name"
        );
        assert_ne!(names(&one, ".js"), names(&other, ".js"));
        assert_ne!(
            one[WORKER], other[WORKER],
            "browsers see that there is another version"
        );
        for site in [&one, &other] {
            let page = String::from_utf8_lossy(&site["index.html"]);
            let script = names(site, ".js")
                .into_iter()
                .find(|name| name.starts_with("app/app"))
                .unwrap();
            assert_eq!(
                names(site, ".js").len(),
                2,
                "modules are joined; the worker is alone"
            );
            assert!(
                page.contains("data-sheets=\"a b\"") && !page.contains("modulepreload"),
                "{page}"
            );
            let sheets = names(site, ".css");
            let joined = sheets
                .iter()
                .find(|name| name.starts_with("style/document"));
            assert_eq!(site[joined.unwrap()], b"a{}b{}");
            assert!(page.contains(&format!("src=\"{script}\"")), "{page}");
            let worker = String::from_utf8_lossy(&site[WORKER]);
            for name in site
                .keys()
                .filter(|name| !["index.html", WORKER].contains(&name.as_str()))
            {
                assert!(worker.contains(name.as_str()), "{name} is not kept");
            }
        }
    }

    #[test]
    fn a_page_without_an_engine_is_no_site() {
        let mut files = page("");
        files.remove(ENGINE);
        assert!(
            site(files, "")
                .unwrap_err()
                .to_string()
                .contains("./wasm.sh")
        );
    }
}
