//! Words with their tag, as what is looked up.

use super::date::{Date, Span};
use super::fault::Fault;
use super::field::{Field, Kind, prefixed};
use super::filter::HAS_ABSTRACT;
use super::parser::{Parser, one};
use super::tree::Leaf;
use crate::enrich::{relation_fault, relation_value};

/// Characters before an asterisk.
const STEM: usize = 4;

/// Most words between words that stand near each other.
const MAX_DISTANCE: u32 = 1000;

/// Words or a phrase, with the tag behind them.
#[derive(Debug, Default)]
pub(super) struct Piece<'q> {
    /// First byte in the query.
    pub(super) start: usize,
    pub(super) words: Vec<&'q str>,
    pub(super) quoted: bool,
    pub(super) tag: Option<Tag>,
}

/// A tag that is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) field: Field,
    pub(super) noexp: bool,
    pub(super) distance: Option<u32>,
}

impl Tag {
    /// The tag of a field, with nothing behind it.
    pub(super) fn of(field: Field) -> Self {
        Self {
            field,
            noexp: false,
            distance: None,
        }
    }
}

impl Piece<'_> {
    fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Whether a colon after it may make it a range.
    pub(super) fn may_begin_range(&self) -> bool {
        let dates = |tag: Tag| tag.field.kind() == Kind::Dates;
        self.tag.map_or(self.quoted, dates)
    }
}

/// Reads what stands in square brackets; `None` for a tag that is passed over.
pub(super) fn tag(parser: &mut Parser<'_>, text: &str, at: usize) -> Result<Option<Tag>, Fault> {
    let (name, modifier) = match text.split_once(':') {
        Some((name, modifier)) => (name, Some(modifier.trim())),
        None => (text, None),
    };
    let Some(field) = Field::of_tag(name) else {
        let problem = format!("there is no field tag [{}]", name.trim());
        let remedy = match Field::nearest_tag(name) {
            Some(near) => format!("did you mean [{near}]?"),
            None => "use one such as [tiab], [mh], [au], [dp]; or put the text in quotation marks"
                .to_owned(),
        };
        parser.fault(at, problem, remedy)?;
        return Ok(None);
    };
    let mut tag = Tag::of(field);
    let Some(modifier) = modifier else {
        return Ok(Some(tag));
    };
    let explodes = field.kind() == Kind::Mesh
        || matches!(field, Field::PublicationType | Field::MeshSubheading);
    let distance = modifier
        .strip_prefix('~')
        .map(|number| number.trim().parse::<u32>());
    match distance {
        None if modifier.eq_ignore_ascii_case("noexp") && explodes => tag.noexp = true,
        Some(Ok(distance)) if field.takes_proximity() && distance <= MAX_DISTANCE => {
            tag.distance = Some(distance);
        }
        _ => {
            let problem = format!("[{}] does not take `:{modifier}`", field.tag());
            let remedy = "use :noexp with [mh], [majr], [sh] and [pt], and :~ with a number up to \
                          1000 with [ti], [tiab], [ab] and [ad]";
            parser.fault(at, problem, remedy)?;
        }
    }
    Ok(Some(tag))
}

/// What a piece looks up; nothing where a forgiven fault leaves nothing.
pub(super) fn leaves(parser: &mut Parser<'_>, piece: &Piece<'_>) -> Result<Vec<Leaf>, Fault> {
    if piece.words.is_empty() {
        parser.fault(
            piece.start,
            "the quotation marks are empty",
            "remove them, or write a phrase between them",
        )?;
        return Ok(Vec::new());
    }
    let Some(tag) = piece.tag else {
        return untagged(parser, piece);
    };
    match (tag.distance, tag.field.kind()) {
        (Some(distance), _) => near(parser, piece, tag.field, distance),
        (None, Kind::Dates) => dates(parser, piece, tag.field),
        (None, Kind::Mesh) => mesh(parser, piece, tag),
        (None, Kind::Filter) => Ok(one(Leaf::Filter {
            name: piece.text().to_lowercase(),
        })),
        (None, _) if matches!(tag.field, Field::Entity | Field::Relation) => {
            found(parser, piece, tag.field)
        }
        (None, Kind::Words | Kind::Names | Kind::Values) => {
            let text = truncated(parser, piece, tag.field.kind())?;
            Ok(text.map_or_else(Vec::new, |text| {
                one(Leaf::Term {
                    text,
                    quoted: piece.quoted,
                    field: Some(tag.field),
                    noexp: tag.noexp,
                })
            }))
        }
    }
}

/// An entity or a relation, in which stars and colons are what they are.
fn found(parser: &mut Parser<'_>, piece: &Piece<'_>, field: Field) -> Result<Vec<Leaf>, Fault> {
    let text = piece.text();
    let text = match field {
        Field::Relation => relation_value(&text),
        _ => text,
    };
    if field == Field::Relation
        && let Some(fault) = relation_fault(&text)
    {
        let (problem, remedy) = fault.split_once(": ").unwrap_or((&fault, ""));
        parser.fault(piece.start, problem, remedy)?;
        return Ok(Vec::new());
    }
    // Whatever the value looks like, in quotation marks it reads back.
    Ok(one(Leaf::term(text, true, Some(field))))
}

/// Words for automatic term mapping. A filter that PubMed knows without a tag
/// is one here.
fn untagged(parser: &mut Parser<'_>, piece: &Piece<'_>) -> Result<Vec<Leaf>, Fault> {
    let Some(text) = truncated(parser, piece, Kind::Words)? else {
        return Ok(Vec::new());
    };
    if piece.quoted {
        return Ok(one(Leaf::term(text, true, None)));
    }
    let mut leaves = Vec::new();
    let words: Vec<&str> = text.split(' ').collect();
    let is_filter = |word: &&str| word.eq_ignore_ascii_case(HAS_ABSTRACT);
    let mut parts = words.split(is_filter).peekable();
    while let Some(part) = parts.next() {
        if !part.is_empty() {
            leaves.push(Leaf::term(part.join(" "), false, None));
        }
        if parts.peek().is_some() {
            leaves.push(Leaf::Filter {
                name: HAS_ABSTRACT.to_owned(),
            });
        }
    }
    Ok(leaves)
}

/// The text, its asterisks checked: each ends a word of some length.
fn truncated(
    parser: &mut Parser<'_>,
    piece: &Piece<'_>,
    kind: Kind,
) -> Result<Option<String>, Fault> {
    let mut words = Vec::with_capacity(piece.words.len());
    for word in &piece.words {
        // A colon between words says nothing.
        if *word == ":" && !piece.quoted {
            continue;
        }
        let stem = word.strip_suffix('*').unwrap_or(word);
        let long_enough = kind != Kind::Words || stem.chars().count() >= STEM;
        let fine = stem == *word || long_enough;
        if !has_stray_asterisk(stem) && fine {
            words.push((*word).to_owned());
            continue;
        }
        let problem = if has_stray_asterisk(stem) {
            format!("the asterisk in `{word}` is not at the end of a word")
        } else {
            format!("`{word}` has fewer than {STEM} characters before its asterisk")
        };
        let remedy = if kind == Kind::Names {
            "write it as in meyer* or li w*, at the end of the name"
        } else {
            "write it as in immun*, after four characters at least; names alone may be shorter, \
             as in li w*[au]"
        };
        parser.fault(piece.start, problem, remedy)?;
        words.extend(without_asterisks(word));
    }
    Ok((!words.is_empty()).then(|| words.join(" ")))
}

/// Whether an asterisk stands where it means nothing: alleles have one before
/// a digit (`HLA-B*57:01`), and it is theirs.
fn has_stray_asterisk(stem: &str) -> bool {
    let mut parts = stem.split('*');
    let empty = parts.next().is_none_or(str::is_empty);
    empty || parts.any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// A word without its asterisks, if that is a word still and not syntax.
fn without_asterisks(word: &str) -> Option<String> {
    let rest = word.replace('*', "");
    let rest = rest.trim_start_matches(':');
    let rest = match rest {
        "AND" | "OR" | "NOT" => rest.to_lowercase(),
        rest if prefixed(rest).is_some() => rest.replace(':', "-"),
        rest => rest.to_owned(),
    };
    (!rest.is_empty()).then_some(rest)
}

fn near(
    parser: &mut Parser<'_>,
    piece: &Piece<'_>,
    field: Field,
    distance: u32,
) -> Result<Vec<Leaf>, Fault> {
    let starred = piece.words.iter().any(|word| word.contains('*'));
    if piece.words.len() < 2 || starred {
        let problem = "words near each other must be two at least, and none truncated";
        let remedy = "write them as in \"hip pain\"[tiab:~4]";
        parser.fault(piece.start, problem, remedy)?;
        let words: Vec<String> = piece
            .words
            .iter()
            .filter(|&&word| word != ":")
            .filter_map(|word| without_asterisks(word))
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        return Ok(one(Leaf::term(words.join(" "), piece.quoted, Some(field))));
    }
    Ok(one(Leaf::Near {
        text: piece.text(),
        field,
        distance,
    }))
}

fn dates(parser: &mut Parser<'_>, piece: &Piece<'_>, field: Field) -> Result<Vec<Leaf>, Fault> {
    let text = piece.text();
    if let Some(span) = Span::parse(&text) {
        return Ok(one(Leaf::Recent { field, span }));
    }
    let (from, to) = text.split_once(':').unwrap_or((&text, &text));
    ends(parser, &[piece], field, from, to)
}

/// A range of which each end has its own quotation marks.
pub(super) fn range(
    parser: &mut Parser<'_>,
    from: &Piece<'_>,
    to: &Piece<'_>,
) -> Result<Vec<Leaf>, Fault> {
    let field = to.tag.or(from.tag).map(|tag| tag.field);
    let same = from.tag.is_none_or(|tag| Some(tag.field) == field);
    match field {
        Some(field) if same && field.kind() == Kind::Dates => {
            ends(parser, &[from, to], field, &from.text(), &to.text())
        }
        _ => {
            let problem = "the ends of a range have different tags, or none of a date";
            let remedy = "write it as \"2019/01/01\"[dp] : \"2023\"[dp]";
            parser.fault(from.start, problem, remedy)?;
            let mut both = leaves(parser, from)?;
            both.extend(leaves(parser, to)?);
            Ok(both)
        }
    }
}

/// A range with these ends, which the pieces were written as.
fn ends(
    parser: &mut Parser<'_>,
    pieces: &[&Piece<'_>],
    field: Field,
    from: &str,
    to: &str,
) -> Result<Vec<Leaf>, Fault> {
    let start = pieces.first().map_or(0, |piece| piece.start);
    let (Some(first), Some(last)) = (Date::parse(from), Date::parse(to)) else {
        let wrong = if Date::parse(from).is_some() {
            to
        } else {
            from
        };
        let problem = format!("`{}` is no date", wrong.trim());
        let tag = field.tag();
        let remedy = format!(
            "write 2019[{tag}], 2019/03[{tag}], 2019/03/04[{tag}], a range such as \
             2019:2023[{tag}] (3000 stands for an open end), or \"last 5 years\"[{tag}] (days, \
             months or years)"
        );
        parser.fault(start, problem, remedy)?;
        let mut words = Vec::new();
        for piece in pieces {
            let plain = Piece {
                words: piece
                    .words
                    .iter()
                    .copied()
                    .filter(|&word| word != ":")
                    .collect(),
                tag: None,
                ..**piece
            };
            words.extend(untagged(parser, &plain)?);
        }
        return Ok(words);
    };
    let (mut from, mut to) = (first, last);
    if from.first_day() > to.last_day() {
        let problem = format!("the dates run from {from} to {to}");
        parser.fault(start, problem, "swap them")?;
        (from, to) = (last, first);
    }
    Ok(one(Leaf::Range { field, from, to }))
}

fn mesh(parser: &mut Parser<'_>, piece: &Piece<'_>, tag: Tag) -> Result<Vec<Leaf>, Fault> {
    let Some(text) = truncated(parser, piece, Kind::Words)? else {
        return Ok(Vec::new());
    };
    if text.contains('*') {
        return Ok(one(Leaf::term(text, piece.quoted, Some(tag.field))));
    }
    let (heading, qualifier) = match text.split_once('/') {
        Some((heading, qualifier))
            if !heading.trim().is_empty() && !qualifier.trim().is_empty() =>
        {
            (heading.trim(), Some(qualifier.trim().to_owned()))
        }
        _ => (text.as_str(), None),
    };
    Ok(one(Leaf::Mesh {
        heading: heading.to_owned(),
        qualifier,
        major: tag.field == Field::MeshMajor,
        explode: !tag.noexp,
    }))
}
