//! Training a WordPiece vocabulary.

use super::refused;
use medsift::{Error, Result};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};
use tokenizers::models::wordpiece::{WordPiece, WordPieceTrainer};
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{
    AddedToken, NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString,
    PreTokenizer, Tokenizer, Trainer,
};

/// BERT's special tokens in the order of their numbers, from 0.
pub const SPECIAL_TOKENS: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// Most different characters: what is rarer becomes `[UNK]`.
const ALPHABET: usize = 1000;

/// What a vocabulary is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VocabularyOptions {
    /// Pieces, special tokens included.
    pub size: usize,
    /// Whether capitals and accents are kept.
    pub cased: bool,
    /// Times that a pair of pieces has to occur to become one.
    pub min_frequency: u64,
}

impl Default for VocabularyOptions {
    /// BERT's size, lower-cased.
    fn default() -> Self {
        Self {
            size: 30_522,
            cased: false,
            min_frequency: 2,
        }
    }
}

/// Characters of all words, with how often they occur at the start of a word
/// and how often further inside.
#[derive(Debug, Default)]
struct Alphabet(BTreeMap<char, [u64; 2]>);

impl Alphabet {
    fn add(&mut self, word: &str) {
        for (place, character) in word.chars().enumerate() {
            self.0.entry(character).or_default()[usize::from(place > 0)] += 1;
        }
    }

    fn join(&mut self, other: Self) {
        for (character, counts) in other.0 {
            let own = self.0.entry(character).or_default();
            own[0] += counts[0];
            own[1] += counts[1];
        }
    }

    /// The most frequent characters, in their own order.
    fn kept(&self, most: usize) -> Vec<(char, [u64; 2])> {
        let mut all: Vec<_> = self.0.iter().map(|(&c, &counts)| (c, counts)).collect();
        all.sort_by_key(|(c, counts)| (std::cmp::Reverse(counts[0] + counts[1]), *c));
        all.truncate(most);
        all.sort_unstable();
        all
    }
}

/// Trains a WordPiece vocabulary with BERT's normaliser, splitting and
/// special tokens ([`SPECIAL_TOKENS`]: `[PAD]` is 0).
///
/// The same texts give the same vocabulary, in whatever order and with any
/// number of threads.
///
/// # Errors
/// When there are no words, or `size` is too small for the special tokens and
/// the characters that occur.
pub fn train_vocabulary<S: AsRef<str> + Send>(
    texts: impl Iterator<Item = S> + Send,
    options: &VocabularyOptions,
) -> Result<Tokenizer> {
    let normaliser = BertNormalizer::new(true, true, None, !options.cased);
    let alphabet = Mutex::new(Alphabet::default());
    let mut trainer = WordPieceTrainer::builder()
        .vocab_size(options.size)
        .min_frequency(options.min_frequency.max(1))
        .show_progress(false)
        .build();
    trainer
        .feed(texts, |text| {
            let words = words(&normaliser, text)?;
            let mut own = Alphabet::default();
            words.iter().for_each(|word| own.add(word));
            alphabet
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .join(own);
            Ok(words)
        })
        .map_err(|error| refused("cannot split the texts into words", &error))?;
    let alphabet = alphabet
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let kept = alphabet.kept(ALPHABET);
    let start = start_pieces(&kept, options)?;
    trainer.set_limit_alphabet(Some(kept.len()));
    trainer.set_initial_alphabet(kept.iter().map(|(c, _)| *c).collect::<HashSet<_>>());
    trainer.set_special_tokens(start);
    let mut model = WordPiece::default();
    trainer
        .train(&mut model)
        .map_err(|error| refused("cannot train the vocabulary", &error))?;
    assemble(model, normaliser)
}

/// Special tokens, then single characters. Naming the characters before the
/// training gives them the same numbers every time: the library counts words
/// in a table of random order, and resolves ties by number.
fn start_pieces(kept: &[(char, [u64; 2])], options: &VocabularyOptions) -> Result<Vec<AddedToken>> {
    let mut pieces: Vec<String> = SPECIAL_TOKENS.map(str::to_owned).to_vec();
    pieces.extend(kept.iter().map(|(character, _)| character.to_string()));
    let inside = kept.iter().filter(|(_, counts)| counts[1] > 0);
    pieces.extend(inside.map(|(character, _)| format!("##{character}")));
    if kept.is_empty() {
        return Err(Error::invalid(
            "texts",
            "the texts hold no words to make a vocabulary of",
        ));
    }
    if options.size < pieces.len() {
        return Err(Error::invalid(
            "size",
            format!(
                "size {} is too small: special tokens and the characters that occur are {} \
                 pieces already",
                options.size,
                pieces.len()
            ),
        ));
    }
    Ok(pieces
        .into_iter()
        .map(|piece| AddedToken::from(piece, true))
        .collect())
}

/// The words that BERT's tokenizer sees in a text.
fn words(normaliser: &BertNormalizer, text: &str) -> tokenizers::Result<Vec<String>> {
    let mut text = NormalizedString::from(text);
    normaliser.normalize(&mut text)?;
    let mut split = PreTokenizedString::from(text);
    BertPreTokenizer.pre_tokenize(&mut split)?;
    Ok(split
        .get_splits(OffsetReferential::Original, OffsetType::Byte)
        .into_iter()
        .map(|(word, _, _)| word.to_owned())
        .collect())
}

fn assemble(model: WordPiece, normaliser: BertNormalizer) -> Result<Tokenizer> {
    let mut tokenizer = Tokenizer::new(model);
    let special = |name: &str| {
        let number = tokenizer.token_to_id(name).unwrap_or_default();
        (name.to_owned(), number)
    };
    let processor = BertProcessing::new(special("[SEP]"), special("[CLS]"));
    tokenizer
        .with_normalizer(Some(normaliser))
        .map_err(|error| refused("cannot set up the tokenizer", &error))?
        .with_pre_tokenizer(Some(BertPreTokenizer))
        .with_post_processor(Some(processor));
    tokenizer
        .add_special_tokens(SPECIAL_TOKENS.map(|token| AddedToken::from(token, true)))
        .map_err(|error| refused("cannot add the special tokens", &error))?;
    Ok(tokenizer)
}
