//! Greek letters and their names: one term for both.

pub(super) use crate::greek::name;

/// Names that end a compound written without a hyphen: `TNFalpha`,
/// `IFNgamma`. Short ones (`mu`, `nu`, `pi`, …) end too many other words.
const SUFFIXES: [&str; 9] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "kappa", "lambda", "sigma", "omega",
];

/// The Greek name at the end of a lower-case word, where something precedes it.
pub(super) fn suffix(word: &str) -> Option<&'static str> {
    SUFFIXES
        .into_iter()
        .find(|name| word.len() > name.len() && word.ends_with(name))
}

/// Units that follow a micro sign; `μg` is written `ug` where no Greek letter
/// is at hand, never `mug`.
pub(super) fn is_micro_unit(word: &str) -> bool {
    matches!(
        word,
        "g" | "l"
            | "m"
            | "s"
            | "a"
            | "v"
            | "w"
            | "f"
            | "h"
            | "mol"
            | "ci"
            | "gy"
            | "sv"
            | "iu"
            | "kat"
    )
}
