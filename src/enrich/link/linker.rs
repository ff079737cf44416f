//! From the mentions of texts to descriptors: rules, then the nearest name.

use super::concept::{Evidence, Link, Method};
use super::in_text::{Mention, is_short, resolve};
use super::kind::ConceptKind;
use super::lexicon::Lexicon;
use super::rules::{Linked, by_end, by_rule};
use super::short_forms::ShortForms;
use super::vectors::NameVectors;
use crate::encoder::Encoder;
use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::sync::Arc;

/// Cosine below which the nearest name is none.
pub const NEAREST: f32 = 0.7;

/// A text and its mentions.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    /// The text: abbreviations that it explains hold in all of it.
    pub text: &'a str,
    /// In any order.
    pub mentions: Vec<Mention>,
}

/// Links mentions to the descriptors of a MeSH table.
pub struct Linker {
    lexicon: Lexicon,
    near: Option<(Arc<Encoder>, NameVectors)>,
    threshold: f32,
}

impl Linker {
    /// Links by the rules of names alone.
    pub fn new(lexicon: Lexicon) -> Self {
        Self {
            lexicon,
            near: None,
            threshold: NEAREST,
        }
    }

    /// Also links what no rule links to the nearest name.
    ///
    /// # Errors
    /// When the vectors are another model's.
    pub fn with_vectors(mut self, encoder: Arc<Encoder>, vectors: NameVectors) -> Result<Self> {
        if !vectors.are_of(&encoder) {
            return Err(Error::new(
                ErrorKind::Incompatible,
                "the vectors of the names are another model's: make them with \
                 `medsift mesh embed --model`",
            ));
        }
        self.near = Some((encoder, vectors));
        Ok(self)
    }

    /// Sets the cosine below which the nearest name is none.
    pub fn with_threshold(mut self, threshold: f32) -> Self {
        self.threshold = threshold;
        self
    }

    /// Whether it knows the vectors of names.
    pub fn has_vectors(&self) -> bool {
        self.near.is_some()
    }

    /// What it links to.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The links of the mentions of each document, in their order; none where
    /// nothing was found that is near enough.
    ///
    /// # Errors
    /// When a mention lies outside its text, or the tokenizer fails.
    pub fn link(&self, documents: &[Document<'_>]) -> Result<Vec<Vec<Option<Link>>>> {
        let mut links = Vec::with_capacity(documents.len());
        let mut open: Vec<Open> = Vec::new();
        for (number, document) in documents.iter().enumerate() {
            let (found, left) = self.by_rules(number, document)?;
            links.push(found);
            open.extend(left);
        }
        self.by_vectors(&mut open)?;
        for one in open {
            links[one.document][one.mention] = one.link;
        }
        let named = |links: Vec<Option<Linked>>| {
            links
                .into_iter()
                .map(|link| link.map(|link| self.named(link)))
        };
        Ok(links
            .into_iter()
            .map(|links| named(links).collect())
            .collect())
    }

    fn by_rules(
        &self,
        number: usize,
        document: &Document<'_>,
    ) -> Result<(Vec<Option<Linked>>, Vec<Open>)> {
        let Document { text, mentions } = document;
        let shorts = ShortForms::of(text);
        let names = mentions
            .iter()
            .map(|mention| {
                text.get(mention.range.clone()).ok_or_else(|| {
                    let what = format!(
                        "a mention at the bytes {:?} is none of the text's",
                        mention.range
                    );
                    Error::new(ErrorKind::InvalidInput, what)
                })
            })
            .collect::<Result<Vec<&str>>>()?;
        let mut links: Vec<Option<Linked>> = names
            .iter()
            .zip(mentions)
            .map(|(name, mention)| by_rule(&self.lexicon, &shorts, mention.kind, name))
            .collect();
        resolve(text, mentions, &mut links);
        let mut open = Vec::new();
        for (place, name) in names.into_iter().enumerate() {
            if links[place].is_some() {
                continue;
            }
            let kind = mentions[place].kind;
            // What a text explains as short for something is looked for by
            // that; letters that nothing explains have no meaning to be near.
            let written_out = match shorts.long_form(name) {
                Some(long) => Some(Cow::Borrowed(long)),
                None => shorts.expanded(name).map(Cow::Owned),
            };
            let broader = by_end(&self.lexicon, kind, name);
            if !kind.by_nearest() || written_out.is_none() && is_short(name) {
                continue;
            }
            open.push(Open {
                document: number,
                mention: place,
                kind,
                name: written_out.unwrap_or(Cow::Borrowed(name)).into_owned(),
                link: broader,
            });
        }
        Ok((links, open))
    }

    /// The nearest names of what is open yet, where they are near enough.
    fn by_vectors(&self, open: &mut [Open]) -> Result<()> {
        let Some((encoder, vectors)) = &self.near else {
            return Ok(());
        };
        if open.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = open.iter().map(|one| one.name.as_str()).collect();
        let embeddings = encoder.encode_passages(&names)?;
        let asked: Vec<(ConceptKind, &[f32])> = open
            .iter()
            .zip(embeddings.rows())
            .map(|(one, row)| (one.kind, row))
            .collect();
        for (one, found) in open.iter_mut().zip(vectors.nearest(&self.lexicon, &asked)) {
            let Some((descriptor, score)) = found.filter(|(_, cosine)| *cosine >= self.threshold)
            else {
                continue;
            };
            let method = Method::Nearest;
            one.link = Some((
                descriptor,
                Evidence {
                    method,
                    score: score.min(1.0),
                },
            ));
        }
        Ok(())
    }

    fn named(&self, (descriptor, evidence): Linked) -> Link {
        let descriptor = &self.lexicon.table().descriptors()[descriptor];
        Link {
            id: format!("MESH:{}", descriptor.ui),
            name: descriptor.heading.clone(),
            evidence,
        }
    }
}

/// A mention that no name agrees with.
struct Open {
    document: usize,
    mention: usize,
    kind: ConceptKind,
    /// What it is looked for by.
    name: String,
    /// The broader concept, where its last words name one.
    link: Option<Linked>,
}
