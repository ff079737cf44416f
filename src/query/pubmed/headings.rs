//! MeSH headings and qualifiers as MeSH writes them.

use super::translate::Translator;
use super::tree::{Leaf, Node};
use crate::mesh::{Descriptor, MeshTable, Qualifier};

/// A heading with the qualifier that it was written with.
struct Found<'t> {
    descriptor: &'t Descriptor,
    qualifier: Option<String>,
}

impl Translator<'_> {
    /// The heading as MeSH writes it, and its qualifier by its name.
    pub(super) fn mesh(&mut self, leaf: &Leaf) -> Node {
        let Leaf::Mesh {
            heading,
            qualifier,
            major,
            explode,
        } = leaf
        else {
            return leaf.clone().into();
        };
        let (heading, qualifier) = match self.known.mesh {
            Some(table) => self.heading(table, heading, qualifier.as_deref()),
            None => {
                if *explode {
                    self.warn(
                        "no MeSH table is loaded: [mh] and [majr] find the heading itself, not \
                         those below it or other names of it"
                            .to_owned(),
                    );
                }
                (heading.clone(), qualifier.clone())
            }
        };
        Leaf::Mesh {
            heading,
            qualifier: qualifier.map(|name| self.qualifier(&name)),
            major: *major,
            explode: *explode,
        }
        .into()
    }

    fn heading(
        &mut self,
        table: &MeshTable,
        heading: &str,
        qualifier: Option<&str>,
    ) -> (String, Option<String>) {
        let Some(found) = look_up(table, heading, qualifier) else {
            self.warn(format!(
                "MeSH has no heading `{heading}`: it is searched as it is written"
            ));
            return (heading.to_owned(), qualifier.map(str::to_owned));
        };
        let name = &found.descriptor.heading;
        if !name.eq_ignore_ascii_case(heading) && !name.contains('/') {
            self.warn(format!("`{heading}` is the MeSH heading `{name}`"));
        }
        (name.clone(), found.qualifier)
    }

    /// A qualifier by its name: `drug therapy` for `dt`.
    pub(super) fn qualifier(&mut self, written: &str) -> String {
        if let Some(found) = Qualifier::find(written) {
            return found.name.to_owned();
        }
        let hint = Qualifier::nearest(written).map_or_else(String::new, |near| {
            format!("; did you mean `{}`?", near.name)
        });
        self.warn(format!(
            "MeSH has no qualifier `{written}`: it is searched as it is written{hint}"
        ));
        written.to_owned()
    }
}

/// A slash may belong to the heading.
fn look_up<'t>(table: &'t MeshTable, heading: &str, qualifier: Option<&str>) -> Option<Found<'t>> {
    let found = |name: &str, qualifier: Option<&str>| {
        table.find(name).map(|descriptor| Found {
            descriptor,
            qualifier: qualifier.map(str::to_owned),
        })
    };
    let Some(rest) = qualifier else {
        return found(heading, None);
    };
    let whole = format!("{heading}/{rest}");
    let before_last = whole.rsplit_once('/');
    found(&whole, None)
        .or_else(|| {
            before_last.and_then(|(name, qualifier)| found(name.trim(), Some(qualifier.trim())))
        })
        .or_else(|| found(heading, Some(rest)))
}
