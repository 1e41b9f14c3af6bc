//! Errors in the fields of a request, described without the names of Rust types.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Requests with more fields are not searched for the wrong one; no question has as many.
const MAX_FIELDS: usize = 64;

/// The types that serde's errors name, in plain words.
const TYPE_NAMES: &[(&str, &str)] = &[
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number that is not negative"),
    ("usize", "a whole number that is not negative"),
    ("i64", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("string or map", "a string"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("unit", "nothing"),
];

/// `seed: invalid value: integer `-1`, expected a whole number that is not negative`
pub(crate) fn describe_field<T: DeserializeOwned>(
    fields: &Value,
    error: &serde_json::Error,
) -> String {
    let message = error.to_string();
    let text = replace_type_name(&message);
    match wrong_field::<T>(fields, &message) {
        Some(field) => format!("{field}: {text}"),
        None => text,
    }
}

/// The first field without which the error is a different one. Errors about unknown or missing fields
/// name the field already.
fn wrong_field<'a, T: DeserializeOwned>(fields: &'a Value, message: &str) -> Option<&'a str> {
    let fields = fields.as_object()?;
    let has_name = message.starts_with("unknown field") || message.starts_with("missing field");
    if has_name || fields.len() > MAX_FIELDS {
        return None;
    }
    let stays = |key: &String| {
        let mut others = fields.clone();
        others.remove(key);
        let read = serde_json::from_value::<T>(Value::Object(others));
        read.is_err_and(|error| error.to_string() == message)
    };
    fields.keys().find(|&key| !stays(key)).map(String::as_str)
}

fn replace_type_name(message: &str) -> String {
    let Some((found, expected)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let words = TYPE_NAMES.iter().find(|(name, _)| *name == expected);
    let expected = match words {
        Some((_, words)) => (*words).to_owned(),
        None if expected.starts_with("struct ") => "an object".to_owned(),
        None => match expected.strip_prefix("an array of length ") {
            Some(length) => format!("a list of {length}"),
            None => expected.to_owned(),
        },
    };
    format!("{found}, expected {expected}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::Request;

    fn error(question: &str, fields: serde_json::Value) -> String {
        Request::named(question, fields).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_field_and_use_plain_type_names() {
        for (question, fields, expected) in [
            (
                "generate",
                json!({"seed": -1}),
                "generate: seed: invalid value: integer `-1`, expected a whole number that is not negative",
            ),
            (
                "generate",
                json!({"robots": 4, "size": [5]}),
                "generate: size: invalid length 1, expected a list of 2",
            ),
            (
                "hint",
                json!({"puzzle": "8x8..00.R77", "level": "a"}),
                "hint: level: invalid type: string \"a\", expected a whole number from 0 to 255",
            ),
            (
                "solve",
                json!({"puzzle": "8x8..00.R77", "limits": 5}),
                "solve: limits: invalid type: integer `5`, expected an object",
            ),
            (
                "solve",
                json!({"puzzle": 5}),
                "solve: puzzle: invalid type: integer `5`, expected a string",
            ),
            (
                "generate",
                json!({"who": 5}),
                "generate: who: expected a robot such as \"R\", or \"any\" or \"one\"",
            ),
            (
                "solve",
                json!({"puzzle": "8x8..00.R77", "options": {"memo": [1]}}),
                "solve: options: expected a string, a number, true or false",
            ),
        ] {
            assert_eq!(error(question, fields), expected);
        }
    }

    #[test]
    fn field_names_are_not_repeated() {
        let unknown = error("solve", json!({"puzzle": "8x8..00.R77", "what": 5}));
        assert!(unknown.starts_with("solve: unknown field `what`, expected one of"));
        assert_eq!(error("solve", json!({})), "solve: missing field `puzzle`");
    }
}
