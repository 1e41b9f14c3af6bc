//! Arguments that are whole numbers, with errors that name the option and its range.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};

/// A parser of whole numbers within a range; `..` stands for all that the type can hold. Errors name the
/// option and the range.
pub(crate) fn whole_number<T>(range: impl RangeBounds<u64>) -> WholeNumber<T> {
    let largest = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    WholeNumber {
        least: match range.start_bound() {
            Bound::Included(&least) => least,
            Bound::Excluded(&before) => before + 1,
            Bound::Unbounded => 0,
        },
        most: match range.end_bound() {
            Bound::Included(&most) => most.min(largest),
            Bound::Excluded(&after) => (after - 1).min(largest),
            Bound::Unbounded => largest,
        },
        largest,
        number: PhantomData,
    }
}

/// See [`whole_number`].
#[derive(Debug)]
pub(crate) struct WholeNumber<T> {
    least: u64,
    most: u64,
    /// The largest number that the type can hold, which errors do not mention as a limit.
    largest: u64,
    number: PhantomData<fn() -> T>,
}

impl<T> Clone for WholeNumber<T> {
    fn clone(&self) -> Self {
        Self {
            number: PhantomData,
            ..*self
        }
    }
}

impl<T> WholeNumber<T> {
    /// `a whole number from 8 to 128`.
    fn expected(&self, text: &str) -> String {
        let Self {
            least,
            most,
            largest,
            ..
        } = *self;
        if most < largest {
            return format!("a whole number from {least} to {most}");
        }
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_too_small = text.parse::<u64>().is_ok_and(|number| number < least);
        match least {
            least if is_number && is_too_small => format!("a whole number, {least} or more"),
            _ if is_number => format!("a whole number up to {most}"),
            0 => "a whole number".to_owned(),
            least => format!("a whole number, {least} or more"),
        }
    }
}

impl<T: TryFrom<u64> + Clone + Send + Sync + 'static> TypedValueParser for WholeNumber<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = value.to_string_lossy();
        let number = text.parse::<u64>().ok();
        number
            .filter(|number| (self.least..=self.most).contains(number))
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| {
                let name =
                    argument.map_or_else(String::new, |argument| match argument.get_long() {
                        Some(long) => format!("--{long}"),
                        None => argument.get_id().to_string().to_uppercase(),
                    });
                let found = text.escape_debug();
                let expected = self.expected(&text);
                clap::Error::raw(
                    ErrorKind::ValueValidation,
                    format!("{name} takes {expected}, not '{found}'\n"),
                )
                .with_cmd(command)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
        parser: &WholeNumber<T>,
        text: &str,
    ) -> Result<T, String> {
        let command = Command::new("ricochet");
        let argument = Arg::new("cells").long("cells");
        let parsed = parser.parse_ref(&command, Some(&argument), OsStr::new(text));
        parsed.map_err(|error| error.to_string().lines().next().unwrap().to_owned())
    }

    #[test]
    fn the_range_is_part_of_the_error() {
        let cells = whole_number::<u32>(8..=128);
        assert_eq!(said(&cells, "8"), Ok(8));
        assert_eq!(said(&cells, "128"), Ok(128));
        for bad in ["7", "129", "-1", "x", "", "1.5", "99999999999999999999"] {
            assert_eq!(
                said(&cells, bad),
                Err(format!(
                    "error: --cells takes a whole number from 8 to 128, not '{bad}'"
                ))
            );
        }
        assert_eq!(
            said(&whole_number::<u32>(1..), "0"),
            Err("error: --cells takes a whole number, 1 or more, not '0'".into())
        );
        assert_eq!(
            said(&whole_number::<u64>(..), "many"),
            Err("error: --cells takes a whole number, not 'many'".into())
        );
        assert_eq!(
            said(&whole_number::<u32>(..), "4294967296"),
            Err("error: --cells takes a whole number up to 4294967295, not '4294967296'".into())
        );
        assert_eq!(
            said(&whole_number::<u64>(..), "18446744073709551615"),
            Ok(u64::MAX)
        );
    }
}
