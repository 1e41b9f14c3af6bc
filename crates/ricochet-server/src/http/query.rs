//! The fields of a question from the query of a URL.
//!
//! The values of a query are texts; the schema of the question says which of them are numbers,
//! switches or lists. `p` is short for `puzzle`, `ms` for `limits.ms`; a dot reaches into an object.

use std::collections::{HashMap, HashSet};

use ricochet_service::{Error, ErrorKind, QUESTIONS, schema};
use serde_json::{Map, Value};

use crate::http::openapi;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    /// Any JSON but a text.
    Plain,
    /// Values separated by commas.
    List,
    /// Texts separated by commas.
    Texts,
}

/// The kinds of all fields of all questions.
pub(crate) struct Fields {
    kinds: HashMap<(&'static str, String), Kind>,
    /// The questions that a query can ask.
    in_query: HashSet<&'static str>,
}

/// Limits of a search that may be written without `limits.`.
const SHORT: [&str; 3] = ["ms", "nodes", "memory_mib"];

/// The most parameters of a query.
const MAX_PARAMETERS: usize = 64;

impl Fields {
    pub(crate) fn new() -> Self {
        let (questions, definitions) = schema::questions("/$defs");
        let mut kinds = HashMap::new();
        let mut in_query = HashSet::new();
        for question in QUESTIONS {
            let request = resolved(&questions[question.name]["request"], &definitions);
            if openapi::parameters(request, &definitions).is_some() {
                in_query.insert(question.name);
            }
            let properties = request["properties"].as_object();
            for (name, field) in properties.into_iter().flatten() {
                let kind = kind_of(field, &definitions);
                kinds.insert((question.name, name.clone()), kind);
            }
        }
        Self { kinds, in_query }
    }

    /// Whether a query can ask the question; otherwise it needs a body.
    pub(crate) fn can_ask(&self, question: &str) -> bool {
        self.in_query.contains(question)
    }

    /// The fields of a question as JSON.
    pub(crate) fn read(&self, question: &'static str, query: &str) -> Result<Value, Error> {
        let bad = |message: String| Error::new(ErrorKind::BadRequest, message);
        let mut fields = Map::new();
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        for (number, pair) in pairs.enumerate() {
            if number == MAX_PARAMETERS {
                return Err(bad(format!("more than {MAX_PARAMETERS} parameters")));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, "true"));
            let (name, value) = (decoded(name)?, decoded(value)?);
            let name = match name.as_str() {
                "p" => "puzzle".to_owned(),
                short if SHORT.contains(&short) => format!("limits.{short}"),
                _ => name,
            };
            let twice = |name: &str| bad(format!("'{}' is given twice", name.escape_debug()));
            if let Some((outer, inner)) = name.split_once('.') {
                let object = fields
                    .entry(outer)
                    .or_insert_with(|| Value::Object(Map::new()));
                let object = object.as_object_mut().ok_or_else(|| twice(outer))?;
                if object.insert(inner.to_owned(), plain(&value)).is_some() {
                    return Err(twice(&name));
                }
                continue;
            }
            let kind = self.kinds.get(&(question, name.clone()));
            let value = match kind {
                Some(Kind::Plain) => plain(&value),
                // As `style: form` writes an empty list.
                Some(Kind::List | Kind::Texts) if value.is_empty() => Value::Array(Vec::new()),
                Some(Kind::Texts) => Value::Array(value.split(',').map(Value::from).collect()),
                Some(Kind::List) => Value::Array(value.split(',').map(plain).collect()),
                Some(Kind::Text) | None => Value::String(value),
            };
            if fields.insert(name.clone(), value).is_some() {
                return Err(twice(&name));
            }
        }
        Ok(Value::Object(fields))
    }
}

/// A number or a switch, if it is one; a text otherwise.
fn plain(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}

fn resolved<'a>(schema: &'a Value, definitions: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
    name.map_or(schema, |name| &definitions[name])
}

fn kind_of(schema: &Value, definitions: &Value) -> Kind {
    let schema = resolved(schema, definitions);
    if let Some(choices) = schema["anyOf"].as_array() {
        let kinds: Vec<Kind> = choices
            .iter()
            .filter(|choice| choice["type"] != "null")
            .map(|choice| kind_of(choice, definitions))
            .collect();
        // Whatever may be a text is read as one.
        return if kinds.contains(&Kind::Text) {
            Kind::Text
        } else {
            kinds.first().copied().unwrap_or(Kind::Text)
        };
    }
    let has = |name: &str| match &schema["type"] {
        Value::String(kind) => kind == name,
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        _ => false,
    };
    if has("array") {
        match kind_of(&schema["items"], definitions) {
            Kind::Text if schema["items"].is_object() => Kind::Texts,
            _ => Kind::List,
        }
    } else if has("integer") || has("number") || has("boolean") {
        Kind::Plain
    } else {
        Kind::Text
    }
}

/// Decodes the percent encoding of a part of a URL.
pub(crate) fn decoded(text: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|it| char::from(it).to_digit(16));
                match (digit(), digit()) {
                    (Some(high), Some(low)) => (high * 16 + low) as u8,
                    _ => {
                        return Err(Error::new(
                            ErrorKind::BadRequest,
                            "a '%' in the URL is not followed by two hexadecimal digits",
                        ));
                    }
                }
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::BadRequest, "the URL is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(question: &'static str, query: &str) -> Value {
        Fields::new().read(question, query).unwrap()
    }

    #[test]
    fn texts_become_what_the_fields_are() {
        assert_eq!(
            read("position", "p=4x3..0012.R31&moves=GE+RE&ms=500"),
            json!({"puzzle": "4x3..0012.R31", "moves": "GE RE", "limits": {"ms": 500}})
        );
        assert_eq!(
            read("draw", "p=x&kind=png&coordinates&cell=20&caption=12"),
            json!({"puzzle": "x", "kind": "png", "coordinates": true, "cell": 20, "caption": "12"})
        );
        assert_eq!(
            read("compare", "p=x&solvers=iddfs,naive&limits.moves=7"),
            json!({"puzzle": "x", "solvers": ["iddfs", "naive"], "limits": {"moves": 7}})
        );
        assert_eq!(
            read("compare", "p=x&solvers=12,null"),
            json!({"puzzle": "x", "solvers": ["12", "null"]})
        );
        assert_eq!(read("generate", "themes="), json!({"themes": []}));
        assert_eq!(
            read("solve", "p=%C3%A9&options.memo=off"),
            json!({"puzzle": "é", "options": {"memo": "off"}})
        );
        assert_eq!(
            read("generate", "seed=7&moves=5,8&edition=1999&who=any"),
            json!({"seed": 7, "moves": [5, 8], "edition": "1999", "who": "any"})
        );
        assert_eq!(
            read("daily", "date=2026-11-17"),
            json!({"date": "2026-11-17"})
        );
    }

    #[test]
    fn bad_queries_are_refused() {
        let fields = Fields::new();
        for query in [
            "p=%zz",
            "p=%f",
            "p=%ff",
            "p=1&p=2",
            "ms=1&ms=2",
            "limits=1&ms=2",
        ] {
            assert!(fields.read("solve", query).is_err(), "{query}");
        }
        let long = "a=1&".repeat(100);
        assert!(fields.read("solve", &long).is_err());
        // There is no null: the field is left out.
        assert_eq!(read("generate", "seed=null"), json!({"seed": "null"}));
    }
}
