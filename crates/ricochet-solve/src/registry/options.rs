//! Parameters as text, on their way to a solver's typed options.

use super::SpecError;

/// What was written after a solver's name, each key once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Gives a parameter; a value given before is replaced.
    pub(super) fn set(&mut self, key: &str, value: &str) {
        match self.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.pairs.push((key.to_owned(), value.to_owned())),
        }
    }

    /// The text of a parameter.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        let pair = self.pairs.iter().find(|(known, _)| known == key);
        pair.map(|(_, value)| value.as_str())
    }

    /// All that was given, in the order in which it was.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// A whole number, or the default if it is not given.
    pub(crate) fn number(&self, key: &str, default: u32) -> Result<u32, SpecError> {
        let Some(text) = self.get(key) else {
            return Ok(default);
        };
        text.parse()
            .map_err(|_| SpecError::bad_value(key, text, "a whole number up to 4294967295"))
    }

    /// `on` or `off`, or the default if it is not given.
    pub(crate) fn switch(&self, key: &str, default: bool) -> Result<bool, SpecError> {
        let names = if default {
            ["on", "off"]
        } else {
            ["off", "on"]
        };
        let given = self.choice(key, names, "on or off")?;
        Ok((given == 0) == default)
    }

    /// The place of the value among these words, of which the first is the default.
    pub(crate) fn choice<const N: usize>(
        &self,
        key: &str,
        words: [&str; N],
        expected: &'static str,
    ) -> Result<usize, SpecError> {
        let Some(text) = self.get(key) else {
            return Ok(0);
        };
        words
            .iter()
            .position(|&word| word == text)
            .ok_or_else(|| SpecError::bad_value(key, text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_know_their_default() {
        for default in [false, true] {
            let mut options = Options::default();
            assert_eq!(options.switch("memo", default), Ok(default));
            options.set("memo", "on");
            assert_eq!(options.switch("memo", default), Ok(true));
            options.set("memo", "off");
            assert_eq!(options.switch("memo", default), Ok(false));
            options.set("memo", "perhaps");
            let error = options.switch("memo", default).unwrap_err();
            assert_eq!(
                error.to_string(),
                "'perhaps' is not a valid value for 'memo': expected on or off"
            );
        }
    }
}
