//! Recognising a text again.

use medsift::passage::sentences;
use sha2::{Digest, Sha256};

/// Sentences with fewer letters and digits than this are found in unrelated
/// texts too (copyright lines, `Further studies are needed.`).
const SHORTEST_SENTENCE: usize = 60;

/// Fingerprint of a text's letters and digits in lower case, so that spacing,
/// punctuation and case do not matter. `None` when it has none.
pub(crate) fn text_key(text: &str) -> Option<u128> {
    key_of(&letters(text))
}

/// Fingerprints of a text's long sentences.
pub(crate) fn sentence_keys(text: &str) -> impl Iterator<Item = u128> {
    sentences(text).into_iter().filter_map(|sentence| {
        let letters = letters(sentence);
        (letters.chars().count() >= SHORTEST_SENTENCE)
            .then(|| key_of(&letters))
            .flatten()
    })
}

/// Fingerprint of two texts in either order.
pub(crate) fn pair_key(first: &str, second: &str) -> Option<u128> {
    let mut keys = [text_key(first)?, text_key(second)?];
    keys.sort_unstable();
    let mut digest = Sha256::new();
    for key in keys {
        digest.update(key.to_le_bytes());
    }
    Some(start(&digest.finalize()))
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn key_of(letters: &str) -> Option<u128> {
    (!letters.is_empty()).then(|| start(&Sha256::digest(letters.as_bytes())))
}

/// The first 16 bytes of a digest: enough for billions of texts.
fn start(digest: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    u128::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_case_and_punctuation_do_not_matter() {
        assert_eq!(text_key("P < 0.05,  it 's"), text_key("p<0.05 It's."));
        assert_ne!(text_key("a"), text_key("b"));
        assert_eq!(text_key(" …"), None);
    }

    #[test]
    fn pairs_have_no_order() {
        assert_eq!(pair_key("One", "two"), pair_key("TWO", "one"));
        assert_ne!(pair_key("one", "two"), pair_key("one", "one"));
    }

    #[test]
    fn only_long_sentences_count() {
        let long = "Statin users had a lower risk of death from breast cancer than non-users in this cohort.";
        assert_eq!(sentence_keys("All rights reserved. Ask us.").count(), 0);
        let text = format!("Short one. {long} Another.");
        assert_eq!(
            sentence_keys(&text).collect::<Vec<_>>(),
            [text_key(long).unwrap()]
        );
    }
}
