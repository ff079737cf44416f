//! What the types of a corpus are to the types of a tagger.

use super::tags::TagSet;
use crate::error::{Error, Result};
use crate::eval::entities::BioTag;
use std::collections::{BTreeMap, BTreeSet};

/// The types that a corpus labels, as those of a tagger.
///
/// Corpora label some types and pass over others: in a corpus of diseases a
/// chemical is `O`. A tagger that learns from several corpora must not take
/// that for a negative. So each type of the corpus stands for one type of the
/// tagger or for several (a corpus of anatomy that makes no difference between
/// organs and cells), and the types that no type of the corpus stands for are
/// *unknown* to it: where the corpus says `O`, the tagger may say any of them
/// ([`TypeMap::allowed`]), and where it does, that is not measured
/// ([`TypeMap::predicted`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeMap {
    tags: TagSet,
    /// For each type of the corpus the numbers of the tagger's.
    types: BTreeMap<String, Vec<usize>>,
    /// Types of the corpus that are taken for `O`.
    ignored: BTreeSet<String>,
}

impl TypeMap {
    /// A map for a corpus in which the types `occurring` occur. Where `types`
    /// is empty, each of them stands for the tagger's type of the same name,
    /// whatever the case of its letters.
    ///
    /// # Errors
    /// When a type of the corpus stands for nothing, a type of the tagger is
    /// not known, or two types of the corpus stand for several types of which
    /// only some are the same.
    pub fn new(
        tags: &TagSet,
        types: &BTreeMap<String, Vec<String>>,
        ignored: &[String],
        occurring: &BTreeSet<String>,
    ) -> Result<Self> {
        let ignored: BTreeSet<String> = ignored.iter().cloned().collect();
        let mut map = Self {
            tags: tags.clone(),
            types: BTreeMap::new(),
            ignored,
        };
        for (name, targets) in types {
            map.add(name, targets)?;
        }
        for name in occurring {
            if map.ignored.contains(name) || map.types.contains_key(name) {
                continue;
            }
            let same = |known: &&String| known.eq_ignore_ascii_case(name);
            let own = tags.types().iter().find(same).filter(|_| types.is_empty());
            match own {
                Some(own) => map.add(name, std::slice::from_ref(own))?,
                None => return Err(map.stands_for_nothing(name)),
            }
        }
        map.check_groups()?;
        Ok(map)
    }

    fn add(&mut self, name: &str, targets: &[String]) -> Result<()> {
        let mut numbers = Vec::with_capacity(targets.len());
        for target in targets {
            let number = self.tags.number(target).ok_or_else(|| {
                let known = self.tags.types().join(", ");
                Error::invalid(
                    "types",
                    format!("the type {target}, for which {name} stands, is none of {known}"),
                )
            })?;
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() {
            return Err(self.stands_for_nothing(name));
        }
        self.types.insert(name.to_owned(), numbers);
        Ok(())
    }

    fn stands_for_nothing(&self, name: &str) -> Error {
        let known = self.tags.types().join(", ");
        Error::invalid(
            "types",
            format!(
                "the type {name} of the data stands for none of the types {known}: say for which \
                 in `types`, or that it is to be ignored"
            ),
        )
    }

    /// Types that stand for several form groups, which are equal or apart.
    fn check_groups(&self) -> Result<()> {
        for (name, one) in &self.types {
            for (other_name, other) in &self.types {
                if one != other && one.iter().any(|number| other.contains(number)) {
                    return Err(Error::invalid(
                        "types",
                        format!(
                            "{name} and {other_name} stand for types of which only some are the \
                             same; they have to be the same, or all different"
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether the corpus labels a type of the tagger.
    pub fn knows(&self, kind: usize) -> bool {
        self.types.values().any(|numbers| numbers.contains(&kind))
    }

    /// Which tags of the tagger agree with a tag of the corpus: those of the
    /// types that it stands for; with `O`, and with a type that is ignored,
    /// `O` and all tags of types that the corpus does not know.
    ///
    /// # Errors
    /// When it is no tag, or its type stands for nothing.
    pub fn allowed(&self, tag: &str) -> Result<Vec<bool>> {
        let mut allowed = vec![false; self.tags.len()];
        match self.resolve(tag)? {
            None => {
                allowed[TagSet::OUTSIDE] = true;
                for kind in (0..self.tags.types().len()).filter(|&kind| !self.knows(kind)) {
                    allowed[TagSet::begin(kind)] = true;
                    allowed[TagSet::inside(kind)] = true;
                }
            }
            Some((numbers, begins)) => {
                for &kind in numbers {
                    let tag = if begins {
                        TagSet::begin(kind)
                    } else {
                        TagSet::inside(kind)
                    };
                    allowed[tag] = true;
                }
            }
        }
        Ok(allowed)
    }

    /// A tag of the corpus as it is measured: with the name of the first type
    /// that its type stands for.
    ///
    /// # Errors
    /// As [`TypeMap::allowed`].
    pub fn gold(&self, tag: &str) -> Result<String> {
        Ok(match self.resolve(tag)? {
            None => "O".to_owned(),
            Some((numbers, true)) => self.tags.name(TagSet::begin(numbers[0])),
            Some((numbers, false)) => self.tags.name(TagSet::inside(numbers[0])),
        })
    }

    /// A tag of the tagger as it is measured: `O` where the corpus does not
    /// know its type.
    pub fn predicted(&self, tag: usize) -> String {
        let group = TagSet::kind(tag)
            .and_then(|kind| self.types.values().find(|numbers| numbers.contains(&kind)));
        match group {
            None => "O".to_owned(),
            Some(numbers) if TagSet::is_begin(tag) => self.tags.name(TagSet::begin(numbers[0])),
            Some(numbers) => self.tags.name(TagSet::inside(numbers[0])),
        }
    }

    /// The types that a tag stands for, and whether it begins an entity;
    /// nothing for `O`.
    fn resolve(&self, tag: &str) -> Result<Option<(&[usize], bool)>> {
        let parsed = BioTag::parse(tag).ok_or_else(|| {
            Error::invalid(
                "tag",
                format!("the tag {tag:?} is none of O, B-TYPE and I-TYPE"),
            )
        })?;
        let Some(kind) = parsed.kind().filter(|kind| !self.ignored.contains(*kind)) else {
            return Ok(None);
        };
        let numbers = self
            .types
            .get(kind)
            .ok_or_else(|| self.stands_for_nothing(kind))?;
        Ok(Some((numbers, matches!(parsed, BioTag::Begin(_)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> TagSet {
        TagSet::new(["Disease", "Gene", "Anatomy", "Cell"]).unwrap()
    }

    fn map(types: &[(&str, &[&str])], ignored: &[&str], occurring: &[&str]) -> Result<TypeMap> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let types = types.iter();
        let types = types.map(|(name, targets)| ((*name).to_owned(), owned(targets)));
        let ignored: Vec<String> = owned(ignored);
        let occurring = occurring.iter().map(|name| (*name).to_owned()).collect();
        TypeMap::new(&tags(), &types.collect(), &ignored, &occurring)
    }

    /// The names of the tags that are allowed.
    fn allowed(map: &TypeMap, tag: &str) -> Vec<String> {
        let allowed = map.allowed(tag).unwrap();
        let places = (0..allowed.len()).filter(|&place| allowed[place]);
        places.map(|place| tags().name(place)).collect()
    }

    #[test]
    fn outside_means_any_type_that_the_corpus_does_not_know() {
        let map = map(&[], &[], &["disease", "Gene"]).unwrap();
        assert_eq!(
            allowed(&map, "O"),
            ["O", "B-Anatomy", "I-Anatomy", "B-Cell", "I-Cell"]
        );
        assert_eq!(allowed(&map, "I-disease"), ["I-Disease"]);
        assert_eq!(map.gold("B-disease").unwrap(), "B-Disease");
        assert_eq!(map.predicted(TagSet::begin(3)), "O");
        assert_eq!(map.predicted(TagSet::inside(1)), "I-Gene");
    }

    #[test]
    fn several_types_may_stand_for_one_and_one_for_several() {
        let types: &[(&str, &[&str])] = &[
            ("protein", &["Gene"]),
            ("DNA", &["Gene"]),
            ("Anatomy", &["Anatomy", "Cell"]),
        ];
        let map = map(types, &["Cancer"], &["DNA", "Anatomy", "Cancer"]).unwrap();
        assert_eq!(allowed(&map, "B-Anatomy"), ["B-Anatomy", "B-Cell"]);
        assert_eq!(allowed(&map, "B-DNA"), allowed(&map, "B-protein"));
        // What is ignored may be anything that the corpus does not know.
        assert_eq!(allowed(&map, "B-Cancer"), ["O", "B-Disease", "I-Disease"]);
        assert_eq!(map.predicted(TagSet::begin(3)), "B-Anatomy");
        assert_eq!(map.gold("I-Cancer").unwrap(), "O");
    }

    #[test]
    fn what_stands_for_nothing_is_named() {
        for (types, occurring, part) in [
            (&[][..], "Species", "Species"),
            (&[("protein", &["Genes"][..])], "protein", "Genes"),
            (&[("protein", &["Gene"][..])], "Disease", "Disease"),
            (&[("protein", &[][..])], "protein", "protein"),
            (
                &[("a", &["Gene", "Cell"][..]), ("b", &["Cell"])],
                "a",
                "a and b",
            ),
        ] {
            let error = map(types, &[], &[occurring]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
