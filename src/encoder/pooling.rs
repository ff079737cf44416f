//! From a state for each token to one vector for a text.

use super::files::{optional_json, unsupported};
use crate::Result;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// How the states of a text's tokens become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// Average over all tokens, special ones included.
    Mean,
    /// State of the first token.
    Cls,
    /// Largest value in each dimension.
    Max,
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mean => "mean",
            Self::Cls => "cls",
            Self::Max => "max",
        })
    }
}

/// `1_Pooling/config.json`: a switch for each mode, or in recent versions one
/// name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Config {
    pooling_mode: Option<String>,
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
    include_prompt: Option<bool>,
}

impl Pooling {
    /// Reads the pooling module's configuration; the mean where there is none.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let Some(config) = optional_json::<Config>(path)? else {
            return Ok(Self::Mean);
        };
        if config.include_prompt == Some(false) {
            return Err(unsupported(
                path,
                "`include_prompt: false` (pooling without the prompt's tokens) is not supported",
            ));
        }
        let mut modes = match &config.pooling_mode {
            Some(mode) => vec![mode.as_str()],
            None => config.switched_on(),
        };
        match (modes.pop(), modes.len()) {
            (Some("mean"), 0) => Ok(Self::Mean),
            (Some("cls"), 0) => Ok(Self::Cls),
            (Some("max"), 0) => Ok(Self::Max),
            (Some(mode), 0) => Err(unsupported(
                path,
                format!("pooling `{mode}` is not supported, only mean, cls and max"),
            )),
            (Some(_), _) => Err(unsupported(
                path,
                "several poolings at once are not supported",
            )),
            (None, _) => Err(unsupported(path, "no pooling is switched on")),
        }
    }

    /// Pools the rows of one text, `vector.len()` numbers each.
    pub(super) fn pool(self, states: &[f32], vector: &mut [f32]) {
        let width = vector.len();
        vector.copy_from_slice(&states[..width]);
        if self == Self::Cls {
            return;
        }
        for row in states[width..].chunks_exact(width) {
            for (out, value) in vector.iter_mut().zip(row) {
                *out = match self {
                    Self::Max => out.max(*value),
                    Self::Mean | Self::Cls => *out + value,
                };
            }
        }
        if self == Self::Mean {
            let share = 1.0 / (states.len() / width) as f32;
            vector.iter_mut().for_each(|value| *value *= share);
        }
    }
}

impl Config {
    fn switched_on(&self) -> Vec<&'static str> {
        [
            (self.pooling_mode_cls_token, "cls"),
            (self.pooling_mode_mean_tokens, "mean"),
            (self.pooling_mode_max_tokens, "max"),
            (
                self.pooling_mode_mean_sqrt_len_tokens,
                "mean_sqrt_len_tokens",
            ),
            (self.pooling_mode_weightedmean_tokens, "weightedmean"),
            (self.pooling_mode_lasttoken, "lasttoken"),
        ]
        .into_iter()
        .filter_map(|(on, name)| on.then_some(name))
        .collect()
    }
}

/// Scales a vector to length 1; a vector of zeros stays.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn read(json: &str) -> Result<Pooling> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.json");
        std::fs::write(&path, json).unwrap();
        Pooling::read(&path)
    }

    #[test]
    fn both_forms_of_the_configuration_are_read() {
        let old = r#"{"pooling_mode_cls_token": false, "pooling_mode_max_tokens": true}"#;
        assert_eq!(read(old).unwrap(), Pooling::Max);
        assert_eq!(read(r#"{"pooling_mode": "cls"}"#).unwrap(), Pooling::Cls);
        assert_eq!(
            Pooling::read(Path::new("nowhere/config.json")).unwrap(),
            Pooling::Mean
        );
    }

    #[test]
    fn unknown_several_and_no_modes_are_refused() {
        for json in [
            r#"{"pooling_mode": "lasttoken"}"#,
            r#"{"pooling_mode_cls_token": true, "pooling_mode_max_tokens": true}"#,
            "{}",
            r#"{"pooling_mode": "mean", "include_prompt": false}"#,
        ] {
            assert_eq!(read(json).unwrap_err().kind(), ErrorKind::Incompatible);
        }
        assert_eq!(read("{").unwrap_err().kind(), ErrorKind::Corrupt);
    }

    #[test]
    fn pools_rows() {
        let states = [1.0, -2.0, 3.0, 4.0];
        let mut vector = [0.0; 2];
        for (pooling, expected) in [
            (Pooling::Mean, [2.0, 1.0]),
            (Pooling::Cls, [1.0, -2.0]),
            (Pooling::Max, [3.0, 4.0]),
        ] {
            pooling.pool(&states, &mut vector);
            assert_eq!(vector, expected, "{pooling}");
        }
        normalise(&mut vector);
        assert_eq!(vector, [0.6, 0.8]);
    }
}
