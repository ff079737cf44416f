//! English function words, which a query passes over unless it has no others.

/// Sorted, so that it can be searched by halving.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "although", "am", "among", "an", "and", "any", "are",
    "as", "at", "be", "because", "been", "being", "between", "both", "but", "by", "can", "could",
    "did", "do", "does", "doing", "during", "each", "either", "for", "from", "had", "has", "have",
    "having", "he", "her", "here", "him", "his", "how", "however", "i", "if", "in", "into", "is",
    "it", "its", "itself", "just", "may", "me", "might", "more", "most", "must", "my", "neither",
    "no", "nor", "not", "of", "on", "onto", "or", "our", "ours", "own", "rather", "shall", "she",
    "should", "so", "some", "such", "than", "that", "the", "their", "theirs", "them", "then",
    "there", "therefore", "these", "they", "this", "those", "through", "thus", "to", "too", "under",
    "until", "up", "upon", "us", "very", "via", "was", "we", "were", "what", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without",
    "would", "you", "your", "yours",
];

/// Whether a lower-case word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("pain"));
    }
}
