//! The query of a call: its term, narrowed by field and dates.

use super::answer::Failure;
use super::call::Call;
use super::history::Set;
use medsift::query::pubmed::{
    Date, Fault, Field, Kind, Leaf, Lenient, Limits, Node, Op, Span, Unit, parse, parse_lenient,
    parse_lenient_line,
};
use std::collections::{BTreeMap, BTreeSet};

/// What parsing calls a tag that it does not know.
const NO_FIELD: &str = "there is no field tag ";

/// Longest term in characters.
const MAX_CHARS: usize = 200_000;

/// A term as it was read.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) tree: Node,
    /// Tags that name no field.
    pub(super) fields_not_found: Vec<String>,
    /// What was passed over.
    pub(super) notes: Vec<String>,
}

/// Reads the term of a call. As at NCBI, faults are passed over and told.
pub(super) fn read(call: &Call, sets: &BTreeMap<u32, Set>) -> Result<Term, Failure> {
    let text = call.text("term").unwrap_or_default();
    if text.chars().count() > MAX_CHARS {
        return Err(Failure::new(format!(
            "the term has more than {MAX_CHARS} characters"
        )));
    }
    let within = call.text("query_key");
    let text = match within.map(|key| key.trim_start_matches('#')) {
        Some(key) if text.is_empty() => format!("#{key}"),
        Some(key) => format!("#{key} AND ({text})"),
        None if text.is_empty() => {
            return Err(Failure::new(
                "Empty term and query_key - nothing todo: give term",
            ));
        }
        None => text.to_owned(),
    };
    check_sets(&text, sets)?;
    let limits = Limits::default();
    let Lenient { tree, faults, more } = if sets.is_empty() {
        parse_lenient(&text, limits)
    } else {
        let numbers: BTreeSet<u32> = sets.keys().copied().collect();
        parse_lenient_line(&text, limits, &numbers)
    };
    let (unknown, others): (Vec<Fault>, Vec<Fault>) = faults
        .into_iter()
        .partition(|fault| fault.problem.starts_with(NO_FIELD));
    let mut notes: Vec<String> = others.iter().map(ToString::to_string).collect();
    if more > 0 {
        notes.push(format!("{more} other faults were passed over"));
    }
    let tag = |fault: &Fault| {
        fault.problem[NO_FIELD.len()..]
            .trim_matches(['[', ']'])
            .to_owned()
    };
    let fields_not_found = unknown.iter().map(tag).collect();
    let Some(tree) = tree else {
        return Err(Failure::new(format!(
            "nothing of the term can be searched: {}",
            notes.join("; ")
        )));
    };
    let tree = match call.text("field") {
        Some(name) => in_field(&tree, field(name)?),
        None => tree,
    };
    Ok(Term {
        tree: narrowed(tree, dates(call)?),
        fields_not_found,
        notes,
    })
}

/// Sets that the term names must be there.
fn check_sets(text: &str, sets: &BTreeMap<u32, Set>) -> Result<(), Failure> {
    let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    for number in words.filter_map(|word| word.strip_prefix('#')) {
        let Ok(number) = number.parse::<u32>() else {
            continue;
        };
        if !sets.contains_key(&number) {
            let remedy = if sets.is_empty() {
                "give the WebEnv that has it".to_owned()
            } else {
                format!("this WebEnv has {} sets", sets.len())
            };
            return Err(Failure::new(format!(
                "the term refers to set #{number} of the history: {remedy}"
            )));
        }
    }
    Ok(())
}

fn field(name: &str) -> Result<Field, Failure> {
    Field::of_tag(name).ok_or_else(|| {
        Failure::new(format!(
            "unknown field {name:?}: einfo.fcgi?db=pubmed lists them"
        ))
    })
}

/// The query with every term that names no field looked up in one.
fn in_field(node: &Node, field: Field) -> Node {
    match node {
        Node::Group { op, operands } => Node::Group {
            op: *op,
            operands: operands.iter().map(|one| in_field(one, field)).collect(),
        },
        Node::Leaf(Leaf::Term { field: None, .. }) => {
            // As if the tag had been written: MeSH headings and dates have
            // forms of their own.
            let tagged = parse(&format!("{node}[{}]", field.tag()), Limits::default());
            tagged.unwrap_or_else(|_| node.clone())
        }
        Node::Leaf(_) => node.clone(),
    }
}

/// The dates that a call asks for: from `mindate` to `maxdate`, or the last
/// `reldate` days, of the date that `datetype` names.
fn dates(call: &Call) -> Result<Option<Leaf>, Failure> {
    let field = match call.text("datetype") {
        None => Field::PublicationDate,
        Some(name) => Field::of_tag(name)
            .filter(|field| field.kind() == Kind::Dates)
            .ok_or_else(|| {
                Failure::new(format!(
                    "unknown datetype {name:?}: use pdat, edat, mdat, crdt, mhda, dcom, ppdat or \
                     epdat"
                ))
            })?,
    };
    let date = |name: &str| -> Result<Option<Date>, Failure> {
        let parse = |text: &str| {
            Date::parse(text).ok_or_else(|| {
                Failure::new(format!(
                    "{name} is {text:?}: use YYYY, YYYY/MM or YYYY/MM/DD"
                ))
            })
        };
        call.text(name).map(parse).transpose()
    };
    let (from, to) = (date("mindate")?, date("maxdate")?);
    if let Some(count) = call.whole("reldate")? {
        let count = u32::try_from(count).ok().filter(|&count| count > 0);
        let count = count.ok_or_else(|| Failure::new("reldate counts days: use 1 or more"))?;
        let span = Span {
            count,
            unit: Unit::Days,
        };
        return Ok(Some(Leaf::Recent { field, span }));
    }
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    let first = Date::parse("0001").unwrap_or(Date::OPEN);
    Ok(Some(Leaf::Range {
        field,
        from: from.unwrap_or(first),
        to: to.unwrap_or(Date::OPEN),
    }))
}

fn narrowed(tree: Node, dates: Option<Leaf>) -> Node {
    let Some(dates) = dates.map(Node::from) else {
        return tree;
    };
    match tree {
        // A group of the same operator goes on.
        Node::Group {
            op: Op::And,
            mut operands,
        } => {
            operands.push(dates);
            Node::Group {
                op: Op::And,
                operands,
            }
        }
        other => Node::Group {
            op: Op::And,
            operands: vec![other, dates],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn sets(numbers: &[u32]) -> BTreeMap<u32, Set> {
        let set = |&number: &u32| (number, Arc::from([1_u32]));
        numbers.iter().map(set).collect()
    }

    fn tree(form: &str) -> String {
        read(&Call::of(form), &sets(&[1, 2]))
            .unwrap()
            .tree
            .to_string()
    }

    fn failure(form: &str, numbers: &[u32]) -> String {
        let failure = read(&Call::of(form), &sets(numbers)).unwrap_err();
        format!("{failure:?}")
    }

    #[test]
    fn field_and_dates_narrow_the_term() {
        assert_eq!(tree("term=asthma"), "asthma");
        assert_eq!(tree("term=asthma&field=title"), "asthma[Title]");
        assert_eq!(
            tree("term=asthma+OR+smith+ja[au]&field=tiab"),
            "asthma[Title/Abstract] OR smith ja[Author]"
        );
        assert_eq!(
            tree("term=a+AND+b&mindate=2001&maxdate=2002/03"),
            "a AND b AND 2001:2002/03[Date - Publication]"
        );
        assert_eq!(
            tree("term=a+OR+b&datetype=edat&reldate=60"),
            "(a OR b) AND \"last 60 days\"[Date - Entry]"
        );
        assert_eq!(
            tree("term=a&mindate=2001"),
            "a AND 2001:3000[Date - Publication]"
        );
    }

    #[test]
    fn sets_of_the_history_are_operands() {
        assert_eq!(
            tree("term=%231+AND+(asthma+OR+%232)"),
            "#1 AND (asthma OR #2)"
        );
        assert_eq!(tree("term=asthma&query_key=2"), "#2 AND asthma");
        assert_eq!(tree("query_key=%231"), "#1");
        assert!(failure("term=%233+AND+a", &[1, 2]).contains("#3"));
        assert!(failure("term=%231+AND+a", &[]).contains("WebEnv"));
    }

    #[test]
    fn faults_are_passed_over_and_told() {
        let read = read(&Call::of("term=(asthma[colour]+AND"), &sets(&[])).unwrap();
        assert_eq!(read.tree.to_string(), "asthma");
        assert_eq!(read.fields_not_found, ["colour"]);
        assert!(!read.notes.is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for form in [
            "",
            "term=()",
            "term=a&field=colour",
            "term=a&datetype=title&mindate=2000",
            "term=a&mindate=yesterday",
            "term=a&reldate=0",
            "term=a&reldate=x",
        ] {
            assert!(read(&Call::of(form), &sets(&[])).is_err(), "{form}");
        }
    }
}
