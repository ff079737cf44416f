//! One leaf of a query.

use super::field::word_fields;
use super::{Documents, Evaluator};
use crate::keyword::analysis::exact_value;
use crate::query::pubmed::{Date, Field, Kind, Leaf};
use tantivy::Term;
use tantivy::columnar::Column;

impl Evaluator<'_> {
    /// Documents that a leaf finds, deleted ones among them.
    pub(super) fn leaf(&mut self, leaf: &Leaf) -> tantivy::Result<Documents> {
        match leaf {
            Leaf::Term {
                text,
                quoted,
                field,
                noexp,
            } => {
                let field = field.unwrap_or(Field::All);
                self.tagged_term(text, *quoted, field, *noexp)
            }
            Leaf::Near {
                text,
                field,
                distance,
            } => self.near(text, *field, *distance),
            Leaf::Mesh {
                heading,
                qualifier,
                major,
                explode,
            } => self.heading(heading, qualifier.as_deref(), *major, *explode),
            Leaf::Range { field, from, to } => self.days(*field, *from, *to),
            Leaf::Recent { field, span } => {
                self.days(*field, self.setting.today.before(*span), Date::OPEN)
            }
            Leaf::Line { number } => Ok(self.line(*number)),
            Leaf::Filter { name } => self.fact(name),
        }
    }

    /// What another line selects; translation has seen that there is one.
    fn line(&self, number: u32) -> Documents {
        let line = self.setting.lines.get(&number);
        line.map_or_else(Documents::new, |line| line.documents.clone())
    }

    fn tagged_term(
        &mut self,
        text: &str,
        quoted: bool,
        field: Field,
        noexp: bool,
    ) -> tantivy::Result<Documents> {
        if let Some(places) = word_fields(self.fields(), field) {
            let mut found = self.words(&places, text, quoted)?;
            if field == Field::All {
                found |= self.term(&Term::from_field_text(
                    self.fields().ids,
                    &exact_value(text),
                ))?;
            }
            if matches!(field, Field::All | Field::TextWord) {
                found |= self.value(self.fields().publication_type, "", text)?;
            }
            return Ok(found);
        }
        if field.kind() == Kind::Names {
            return self.people(field, text, quoted);
        }
        self.values(field, text, quoted, noexp)
    }

    /// Documents with a day in a range.
    fn days(&self, field: Field, from: Date, to: Date) -> tantivy::Result<Documents> {
        let dates = self.fields().dates;
        let columns = match field {
            Field::PrintDate => vec![dates.print],
            Field::ElectronicDate => vec![dates.electronic],
            Field::EntryDate => vec![dates.entry],
            Field::CreateDate => vec![dates.create],
            Field::MeshDate => vec![dates.mesh],
            Field::CompletionDate => vec![dates.complete],
            Field::ModificationDate => vec![dates.revise],
            _ => vec![dates.print, dates.electronic],
        };
        let range = from.first_day()..=to.last_day();
        let mut found = Documents::new();
        for (segment, base) in self.segments() {
            for field in &columns {
                let name = segment.schema().get_field_name(*field);
                let column: Option<Column<i64>> = segment.fast_fields().column_opt(name)?;
                let Some(column) = column else { continue };
                let documents = self.watch.over(0..segment.max_doc());
                let documents = documents.filter(|&document| {
                    column
                        .first(document)
                        .is_some_and(|day| range.contains(&day))
                });
                found.extend(documents.map(|document| base + document));
                self.watch.look()?;
            }
        }
        Ok(found)
    }

    /// A fact by the name that translation gives it.
    fn fact(&self, name: &str) -> tantivy::Result<Documents> {
        let tagged = |value: &str| self.term(&Term::from_field_text(self.fields().tagged, value));
        match name {
            "all" => Ok(self.alive.clone()),
            "hasabstract" => self.term(&Term::from_field_bool(self.fields().has_abstract, true)),
            "pmc" => tagged("has:pmc"),
            "aim" => tagged("subset:aim"),
            "dental" => tagged("subset:d"),
            "nursing" => tagged("subset:n"),
            status => tagged(&format!("status:{}", exact_value(status))),
        }
    }
}
