//! Whole values: headings, types, identifiers, journals.

use super::{Documents, Evaluator};
use crate::keyword::analysis::exact_value;
use crate::mesh::Qualifier;
use crate::query::pubmed::Field;
use tantivy::Term;
use tantivy::schema::Field as IndexField;

impl Evaluator<'_> {
    /// Documents with a value of a field.
    pub(super) fn values(
        &mut self,
        field: Field,
        text: &str,
        quoted: bool,
        noexp: bool,
    ) -> tantivy::Result<Documents> {
        let fields = self.fields();
        match field {
            Field::Pmid => self.pmids(text),
            Field::Journal => self.value(fields.journal_exact, "", text),
            Field::Language => self.value(fields.language, "", text),
            Field::MeshTerms => self.value(fields.mesh_exact, "", text),
            // All of a type are a value of their own, of which there is no end.
            Field::Entity if text.ends_with(":*") => self.term(&Term::from_field_text(
                fields.findings.entity,
                &exact_value(text),
            )),
            Field::Entity => self.value(fields.findings.entity, "", text),
            // A star at its end stands for anything, and is indexed as such.
            Field::Relation => self.term(&Term::from_field_text(
                fields.findings.relation,
                &exact_value(text),
            )),
            Field::MeshSubheading if !noexp => self.qualifier(text),
            Field::PublicationType if noexp => self.value(fields.publication_type, "", text),
            Field::PublicationType => self.publication_type(text),
            Field::Book => {
                let books = self.value(fields.tagged, "kind:", "book")?;
                let places = super::field::WordFields {
                    texts: Vec::new(),
                    names: vec![fields.journal],
                };
                Ok(self.words(&places, text, quoted)? & books)
            }
            other => self.value(fields.tagged, &format!("{}:", other.tag()), text),
        }
    }

    /// Documents with a value, or with any that begins so where an asterisk
    /// ends it.
    pub(super) fn value(
        &mut self,
        field: IndexField,
        tag: &str,
        text: &str,
    ) -> tantivy::Result<Documents> {
        match text.strip_suffix('*') {
            Some(stem) => self.prefix(field, &format!("{tag}{}", exact_value(stem))),
            None => {
                let value = format!("{tag}{}", exact_value(text));
                self.term(&Term::from_field_text(field, &value))
            }
        }
    }

    /// One PMID, or several with spaces or commas between them.
    fn pmids(&self, text: &str) -> tantivy::Result<Documents> {
        let mut found = Documents::new();
        for id in text.split([' ', ',']).filter(|id| !id.is_empty()) {
            found |= self.term(&Term::from_field_text(self.fields().id, id))?;
        }
        Ok(found)
    }

    /// A publication type, with the narrower ones where MeSH is at hand.
    fn publication_type(&mut self, text: &str) -> tantivy::Result<Documents> {
        let field = self.fields().publication_type;
        let mut found = self.value(field, "", text)?;
        if let Some((mesh, descriptor)) = self.mesh.and_then(|mesh| Some((mesh, mesh.find(text)?)))
        {
            for narrower in mesh.explode(descriptor) {
                found |= self.value(field, "", &narrower.heading)?;
            }
        }
        Ok(found)
    }

    /// A qualifier with those below it.
    fn qualifier(&mut self, text: &str) -> tantivy::Result<Documents> {
        let field = self.fields().tagged;
        let mut found = self.value(field, "sh:", text)?;
        for narrower in narrower_qualifiers(text, true) {
            found |= self.value(field, "sh:", narrower)?;
        }
        Ok(found)
    }

    /// Documents with a MeSH heading. Exploding goes down from the qualifier as
    /// well as from the heading, as in PubMed.
    pub(super) fn heading(
        &mut self,
        heading: &str,
        qualifier: Option<&str>,
        major: bool,
        explode: bool,
    ) -> tantivy::Result<Documents> {
        let fields = self.fields();
        let (field, tag) = if major {
            (fields.tagged, "majr:")
        } else {
            (fields.mesh_exact, "")
        };
        let found = self.mesh.and_then(|mesh| Some((mesh, mesh.find(heading)?)));
        let mut headings = vec![heading];
        if let Some((mesh, descriptor)) = found {
            headings = if explode {
                let all = mesh.explode(descriptor).into_iter();
                all.map(|narrower| narrower.heading.as_str()).collect()
            } else {
                vec![&descriptor.heading]
            };
        }
        let with =
            |value: &str| Term::from_field_text(field, &format!("{tag}{}", exact_value(value)));
        let mut documents = Documents::new();
        for heading in headings {
            let alone = self.term(&with(heading))?;
            match qualifier {
                None => documents |= alone,
                // Whoever has the heading with a qualifier has it alone as well.
                Some(_) if alone.is_empty() => {}
                Some(qualifier) => {
                    for qualifier in narrower_qualifiers(qualifier, explode) {
                        documents |= self.term(&with(&format!("{heading}/{qualifier}")))?;
                    }
                }
            }
        }
        Ok(documents)
    }
}

/// Names of a qualifier and, where it is exploded, of those below it; as it is
/// written where MeSH does not know it.
fn narrower_qualifiers(text: &str, explode: bool) -> Vec<&str> {
    match Qualifier::find(text) {
        Some(known) if explode => {
            let all = known.explode().into_iter();
            all.map(|narrower| narrower.name).collect()
        }
        Some(known) => vec![known.name],
        None => vec![text],
    }
}
