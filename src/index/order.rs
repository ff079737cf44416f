//! Which of two records of an article holds, whatever order they come in.

use super::completeness::Completeness;
use crate::article::{Article, PubDate};

/// Year and number of a baseline or update file (`pubmed25n0001.xml.gz`),
/// which say what is newer.
pub fn nlm_number(name: &str) -> Option<(u32, u32)> {
    let rest = name
        .strip_prefix("pubmed")
        .or_else(|| name.strip_prefix("medline"))?;
    let (year, rest) = rest.split_once('n')?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let two_digits = year.len() == 2 && digits > 0;
    two_digits.then_some(())?;
    Some((year.parse().ok()?, rest[..digits].parse().ok()?))
}

/// The place of a file among NLM's; nothing for a file of another name.
pub(super) type FileNumber = Option<(u32, u32)>;

/// Whether a file is known to be older than another: both are NLM's and the
/// numbers say so.
pub(super) fn is_older(file: FileNumber, than: FileNumber) -> bool {
    match (file, than) {
        (Some(file), Some(than)) => file < than,
        _ => false,
    }
}

/// What a record says for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Claim<'a> {
    pub(super) version: u32,
    pub(super) content: &'a str,
    pub(super) file: FileNumber,
    pub(super) completeness: Completeness,
    pub(super) revised: Option<Day>,
}

impl Claim<'_> {
    /// Whether the record's format holds less than the article has, and the
    /// record is not known to be newer.
    fn says_less_than(&self, current: &Self) -> bool {
        let is_revised_later = match (self.revised, current.revised) {
            (Some(record), Some(current)) => record > current,
            _ => false,
        };
        self.completeness < current.completeness && !is_revised_later
    }
}

/// What a record does to the article that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There was none.
    Added,
    /// It takes the article's place.
    Replaced,
    /// It says the same in a later file: the article now dates from there.
    Confirmed,
    /// An older version in a later file: it holds if a deletion between the
    /// two files comes to light.
    Fallback,
    /// It is of a format that holds less than the article has.
    Poorer,
    /// Nothing.
    Outdated,
}

/// Year, month and day.
pub(super) type Day = (i32, u8, u8);

/// When a record was last revised, where it names a day.
pub(super) fn last_revised(article: &Article) -> Option<Day> {
    let mut events = article.history.iter();
    let revised = events.find(|event| event.event == "last-revised")?;
    match revised.date {
        PubDate::Calendar { year, month, day } => Some((year, month?, day?)),
        PubDate::Season { .. } | PubDate::Medline { .. } => None,
    }
}

/// Judges a record. `deleted` is the newest NLM file that deleted the article.
///
/// Of the records that no later file deletes, the one of the newest version
/// holds, and among those the one of the latest file. Among files whose order
/// is not known the one that is applied later counts as later, unless its
/// format holds less than the article has.
pub(super) fn judge(record: Claim<'_>, current: Option<Claim<'_>>, deleted: FileNumber) -> Verdict {
    if is_older(record.file, deleted) {
        return Verdict::Outdated;
    }
    let Some(current) = current else {
        return Verdict::Added;
    };
    let is_known_later = is_older(current.file, record.file);
    if record.content == current.content {
        return match current.file {
            None if record.file.is_some() => Verdict::Confirmed,
            _ if is_known_later => Verdict::Confirmed,
            _ => Verdict::Outdated,
        };
    }
    match record.version.cmp(&current.version) {
        std::cmp::Ordering::Greater => Verdict::Replaced,
        std::cmp::Ordering::Equal if is_older(record.file, current.file) => Verdict::Outdated,
        std::cmp::Ordering::Equal if record.says_less_than(&current) => Verdict::Poorer,
        std::cmp::Ordering::Equal => Verdict::Replaced,
        std::cmp::Ordering::Less if is_known_later => Verdict::Fallback,
        std::cmp::Ordering::Less => Verdict::Outdated,
    }
}

/// Whether the record that gives way has to be kept as a fallback: it is of a
/// later file, and only its version is older.
pub(super) fn outlives(former: Claim<'_>, record: Claim<'_>) -> bool {
    former.version < record.version && is_older(record.file, former.file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nlm_names_are_ordered_by_year_and_number() {
        assert_eq!(nlm_number("pubmed25n1300.xml.gz"), Some((25, 1300)));
        assert_eq!(nlm_number("medline16n0902.xml"), Some((16, 902)));
        for other in [
            "pubmed_result.xml",
            "corpus.jsonl",
            "pubmed25n.xml",
            "pubmed",
        ] {
            assert_eq!(nlm_number(other), None, "{other}");
        }
    }

    fn claim(version: u32, content: &str, number: u32) -> Claim<'_> {
        Claim {
            version,
            content,
            // 0 for a file that is not NLM's.
            file: (number > 0).then_some((25, number)),
            completeness: Completeness::Full,
            revised: None,
        }
    }

    #[test]
    fn version_goes_before_file_and_a_deletion_before_both() {
        let current = Some(claim(2, "b", 5));
        for (record, deleted, verdict) in [
            (claim(1, "a", 4), 0, Verdict::Outdated),
            (claim(1, "a", 6), 0, Verdict::Fallback),
            (claim(1, "a", 0), 0, Verdict::Outdated),
            (claim(2, "a", 4), 0, Verdict::Outdated),
            (claim(2, "a", 5), 0, Verdict::Replaced),
            (claim(2, "a", 6), 0, Verdict::Replaced),
            (claim(2, "a", 0), 0, Verdict::Replaced),
            (claim(3, "a", 4), 0, Verdict::Replaced),
            (claim(3, "a", 4), 5, Verdict::Outdated),
            (claim(3, "a", 0), 5, Verdict::Replaced),
            (claim(2, "b", 4), 0, Verdict::Outdated),
            (claim(2, "b", 6), 0, Verdict::Confirmed),
            (claim(2, "b", 0), 0, Verdict::Outdated),
        ] {
            let deleted = (deleted > 0).then_some((25, deleted));
            assert_eq!(judge(record, current, deleted), verdict, "{record:?}");
        }
        assert_eq!(judge(claim(1, "a", 4), None, Some((25, 4))), Verdict::Added);
        assert_eq!(
            judge(claim(1, "a", 4), None, Some((26, 1))),
            Verdict::Outdated
        );
    }

    #[test]
    fn an_unnamed_file_is_dated_by_the_next_one_that_says_the_same() {
        let current = Some(claim(1, "a", 0));
        assert_eq!(judge(claim(1, "a", 3), current, None), Verdict::Confirmed);
    }

    #[test]
    fn a_poorer_format_replaces_only_what_it_is_newer_than() {
        use Completeness::{Citation, Full, Tagged};
        let (old, new) = (Some((2020, 1, 2)), Some((2024, 1, 2)));
        for (completeness, revised, current, held, verdict) in [
            (Tagged, None, Full, None, Verdict::Poorer),
            (Citation, None, Tagged, None, Verdict::Poorer),
            (Citation, new, Tagged, None, Verdict::Poorer),
            (Tagged, old, Full, old, Verdict::Poorer),
            (Tagged, old, Full, new, Verdict::Poorer),
            (Tagged, new, Full, old, Verdict::Replaced),
            (Tagged, None, Tagged, new, Verdict::Replaced),
            (Full, None, Citation, new, Verdict::Replaced),
        ] {
            let record = Claim {
                completeness,
                revised,
                ..claim(1, "a", 0)
            };
            let current = Claim {
                completeness: current,
                revised: held,
                ..claim(1, "b", 3)
            };
            assert_eq!(judge(record, Some(current), None), verdict, "{record:?}");
            let newer = Claim {
                version: 2,
                ..record
            };
            assert_eq!(judge(newer, Some(current), None), Verdict::Replaced);
        }
    }

    #[test]
    fn only_a_later_file_outlives_a_newer_version() {
        assert!(outlives(claim(1, "a", 7), claim(2, "b", 3)));
        assert!(!outlives(claim(1, "a", 3), claim(2, "b", 7)));
        assert!(!outlives(claim(1, "a", 0), claim(2, "b", 7)));
        assert!(!outlives(claim(2, "a", 7), claim(2, "b", 3)));
    }
}
