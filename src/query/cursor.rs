//! Where a list goes on, as a text that programs hand back as it is.

use crate::digest::sha256;
use crate::error::{Error, Result};
use crate::key::ArticleKey;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The last hit of a page, and of which list.
///
/// It is bound to a search and to the committed state that answered it. Its
/// text is the fields in hexadecimal with a checksum behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cursor {
    /// Digest of the search.
    pub(crate) search: u64,
    /// Digest of the committed state.
    pub(crate) state: u64,
    /// Hits up to this place.
    pub(crate) passed: u64,
    /// The place.
    pub(crate) place: Place,
}

/// A place in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind so many hits of a list that is as deep as the candidates.
    Rank,
    /// Behind an article of a list by score, of which these are the bits.
    Score(u32, ArticleKey),
    /// Behind an article of a list by day.
    Day(i64, ArticleKey),
}

/// Bytes of a cursor without its checksum, and of that.
const FIELDS: usize = 3 * 8 + 1 + 8 + 4;
const SUM: usize = 4;

impl Cursor {
    fn to_bytes(self) -> Vec<u8> {
        let (kind, value, key) = match self.place {
            Place::Rank => (0_u8, 0, ArticleKey(0)),
            Place::Score(bits, key) => (1, i64::from(bits), key),
            Place::Day(day, key) => (2, day, key),
        };
        let mut bytes = Vec::with_capacity(FIELDS);
        for number in [self.search, self.state, self.passed] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.push(kind);
        bytes.extend(value.to_be_bytes());
        bytes.extend(key.0.to_be_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8; FIELDS]) -> Option<Self> {
        let number = |at: usize| Some(u64::from_be_bytes(bytes[at..at + 8].try_into().ok()?));
        let value = number(25)?.cast_signed();
        let key = ArticleKey(u32::from_be_bytes(bytes[33..37].try_into().ok()?));
        let place = match bytes[24] {
            0 => Place::Rank,
            1 => Place::Score(u32::try_from(value).ok()?, key),
            2 => Place::Day(value, key),
            _ => return None,
        };
        // No list is longer than there are keys.
        let passed = number(16).filter(|&passed| passed <= u64::from(u32::MAX))?;
        Some(Self {
            search: number(0)?,
            state: number(8)?,
            passed,
            place,
        })
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first characters of the digest, as many as the checksum has.
fn sum(bytes: &[u8]) -> String {
    sha256(bytes)[..2 * SUM].to_owned()
}

/// The first eight bytes of a digest, as a number.
pub(crate) fn short_digest(text: &str) -> u64 {
    u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).unwrap_or_default()
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.to_bytes();
        write!(f, "{}{}", hexadecimal(&bytes), sum(&bytes))
    }
}

impl FromStr for Cursor {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        read(text).ok_or_else(|| {
            Error::invalid(
                "cursor",
                "this is no cursor: send next_cursor of the page before as it is, or none for the \
                 first page",
            )
        })
    }
}

fn read(text: &str) -> Option<Cursor> {
    if text.len() != 2 * (FIELDS + SUM) || !text.is_ascii() {
        return None;
    }
    let (fields, check) = text.split_at(2 * FIELDS);
    let mut bytes = [0; FIELDS];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&fields[2 * at..2 * at + 2], 16).ok()?;
    }
    let fits = sum(&bytes) == check && hexadecimal(&bytes) == fields;
    fits.then(|| Cursor::of_bytes(&bytes)).flatten()
}

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.to_string()
    }
}

impl TryFrom<String> for Cursor {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn cursors()(
            (search, state, passed) in any::<(u64, u64, u32)>(),
            (kind, bits, day, key) in (0..3, any::<u32>(), any::<i64>(), any::<u32>()),
        ) -> Cursor {
            let key = ArticleKey(key);
            let place = match kind {
                0 => Place::Rank,
                1 => Place::Score(bits, key),
                _ => Place::Day(day, key),
            };
            Cursor { search, state, passed: passed.into(), place }
        }
    }

    #[test]
    fn a_place_behind_every_list_is_refused() {
        let far = Cursor {
            search: 1,
            state: 2,
            passed: u64::MAX,
            place: Place::Rank,
        };
        assert!(far.to_string().parse::<Cursor>().is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cursor in cursors()) {
            prop_assert_eq!(cursor.to_string().parse::<Cursor>().unwrap(), cursor);
        }

        #[test]
        fn a_changed_cursor_is_refused(cursor in cursors(), at in 0_usize..82, to in "[0-9a-f]") {
            let text = cursor.to_string();
            let mut changed = text.clone();
            changed.replace_range(at..at + 1, &to);
            let read = changed.parse::<Cursor>();
            prop_assert_eq!(read.is_ok(), changed == text);
        }

        #[test]
        fn no_text_panics(text in ".{0,90}") {
            prop_assert!(text.parse::<Cursor>().is_err());
        }
    }
}
