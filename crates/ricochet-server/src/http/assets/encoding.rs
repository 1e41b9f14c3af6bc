//! Compressed forms of a response, and which of them a client accepts.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};

/// How the bytes of a response are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// The value of `Content-Encoding`.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The encoding that the client likes best; of several, the smallest.
    pub(crate) fn wanted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING);
        let list = values
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        let accepted: Vec<(&str, f32)> = list.filter_map(weighted).collect();
        let weight = |names: &[&str], otherwise: f32| {
            let named = accepted
                .iter()
                .filter(|(name, _)| names.iter().any(|it| it.eq_ignore_ascii_case(name)));
            named
                .map(|(_, weight)| *weight)
                .reduce(f32::max)
                .or_else(|| {
                    accepted
                        .iter()
                        .find(|(name, _)| *name == "*")
                        .map(|(_, weight)| *weight)
                })
                .unwrap_or(otherwise)
        };
        // Without being named, identity is accepted, but anything that is named is liked better.
        let identity = weight(&["identity"], f32::MIN_POSITIVE);
        let brotli = weight(&["br"], 0.0);
        let gzip = weight(&["gzip", "x-gzip"], 0.0);
        if brotli > 0.0 && brotli >= gzip && brotli >= identity {
            Self::Brotli
        } else if gzip > 0.0 && gzip >= identity {
            Self::Gzip
        } else {
            Self::Identity
        }
    }
}

/// `gzip;q=0.5` as a name with its weight.
fn weighted(part: &str) -> Option<(&str, f32)> {
    let (name, parameters) = part.split_once(';').unwrap_or((part, ""));
    let weight = parameters.split(';').find_map(|it| {
        let (name, value) = it.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
    });
    let weight = match weight {
        None => 1.0,
        Some(text) => text.parse().ok().filter(|it| (0.0..=1.0).contains(it))?,
    };
    Some((name.trim(), weight))
}

/// How much work compression may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For what is sent once.
    Little,
    /// For what is kept.
    Much,
}

/// Bytes with their compressed forms, which are made when they are first needed.
pub(crate) struct Encoded {
    plain: Bytes,
    effort: Effort,
    /// Whether it is worth compressing: pictures are compressed already.
    compressible: bool,
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

impl Encoded {
    pub(crate) fn new(plain: Bytes, compressible: bool, effort: Effort) -> Self {
        Self {
            plain,
            effort,
            compressible,
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
        }
    }

    /// The bytes in the wanted form, or in their own if that is no longer.
    pub(crate) fn get(&self, wanted: Encoding) -> (Encoding, Bytes) {
        let shorter = |bytes: Vec<u8>| (bytes.len() < self.plain.len()).then(|| Bytes::from(bytes));
        let compressed = match wanted {
            _ if !self.compressible => None,
            Encoding::Identity => None,
            Encoding::Brotli => self
                .brotli
                .get_or_init(|| shorter(brotli(&self.plain, self.effort)))
                .clone(),
            Encoding::Gzip => self
                .gzip
                .get_or_init(|| shorter(gzip(&self.plain, self.effort)))
                .clone(),
        };
        match compressed {
            Some(bytes) => (wanted, bytes),
            None => (Encoding::Identity, self.plain.clone()),
        }
    }
}

/// The largest file that is compressed with the slowest setting, which takes about a second per
/// megabyte.
const SMALL: usize = 512 << 10;

fn brotli(bytes: &[u8], effort: Effort) -> Vec<u8> {
    let quality = match effort {
        Effort::Little => 5,
        // Without optimisation the highest quality takes seconds.
        Effort::Much if cfg!(debug_assertions) => 5,
        Effort::Much if bytes.len() <= SMALL => 11,
        Effort::Much => 9,
    };
    let mut compressed = Vec::with_capacity(bytes.len() / 3);
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 4096, quality, 22);
    // Writing to memory does not fail.
    let _ = writer.write_all(bytes);
    drop(writer);
    compressed
}

fn gzip(bytes: &[u8], effort: Effort) -> Vec<u8> {
    let level = match effort {
        Effort::Little => 6,
        Effort::Much => 9,
    };
    let mut writer = flate2::write::GzEncoder::new(
        Vec::with_capacity(bytes.len() / 3),
        flate2::Compression::new(level),
    );
    let _ = writer.write_all(bytes);
    writer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn wanted(text: &str) -> Encoding {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, text.parse().unwrap());
        Encoding::wanted(&headers)
    }

    #[test]
    fn the_best_accepted_encoding_is_chosen() {
        for (text, expected) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, deflate", Encoding::Gzip),
            ("GZIP", Encoding::Gzip),
            ("x-gzip", Encoding::Gzip),
            ("br;q=0.5, gzip;q=0.8", Encoding::Gzip),
            ("br;q=0.8, gzip; Q=0.8", Encoding::Brotli),
            ("br;q=0, gzip", Encoding::Gzip),
            ("br;q=0, gzip;q=0", Encoding::Identity),
            ("*", Encoding::Brotli),
            ("*;q=0.1, br;q=0", Encoding::Gzip),
            ("*;q=0", Encoding::Identity),
            ("identity, br;q=0.5", Encoding::Identity),
            ("identity;q=0.5, gzip;q=0.4", Encoding::Identity),
            ("br;q=2, gzip", Encoding::Gzip),
            ("br;q=x", Encoding::Identity),
            ("brotli", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            assert_eq!(wanted(text), expected, "{text}");
        }
        assert_eq!(Encoding::wanted(&HeaderMap::new()), Encoding::Identity);
    }

    #[test]
    fn what_does_not_get_shorter_is_sent_as_it_is() {
        let short = Encoded::new(Bytes::from_static(b"x"), true, Effort::Much);
        assert_eq!(
            short.get(Encoding::Brotli),
            (Encoding::Identity, Bytes::from_static(b"x"))
        );
        let picture = Encoded::new(Bytes::from(vec![0; 1000]), false, Effort::Much);
        assert_eq!(picture.get(Encoding::Gzip).0, Encoding::Identity);
    }

    proptest! {
        #[test]
        fn compressed_bytes_can_be_read(text in "[a-d]{100,2000}") {
            for effort in [Effort::Little, Effort::Much] {
                let encoded = Encoded::new(Bytes::from(text.clone()), true, effort);
                let (encoding, bytes) = encoded.get(Encoding::Brotli);
                prop_assert_eq!(encoding, Encoding::Brotli);
                let mut read = String::new();
                brotli::Decompressor::new(&*bytes, 4096).read_to_string(&mut read).unwrap();
                prop_assert_eq!(&read, &text);
                let (encoding, bytes) = encoded.get(Encoding::Gzip);
                prop_assert_eq!(encoding, Encoding::Gzip);
                read.clear();
                flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut read).unwrap();
                prop_assert_eq!(&read, &text);
            }
        }

        #[test]
        fn any_header_is_read(text in "[a-z*;q=., 0-9]{0,40}") {
            wanted(&text);
        }
    }
}
