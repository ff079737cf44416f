//! `Article`: what is printed in the journal.

use super::{data, date, people, subject};
use crate::article::{Article, Journal, Pages};
use crate::xml::XmlWriter;

pub(super) fn write(xml: &mut XmlWriter, article: &Article) {
    let model = [("PubModel", article.publication_model.as_deref())];
    xml.inside("Article", &model, |xml| {
        journal(xml, article);
        xml.rich("ArticleTitle", &[], &article.title);
        pages(xml, article.pages.as_ref());
        data::electronic(xml, article);
        subject::main_abstract(xml, article);
        people::editors(xml, article);
        people::authors(xml, article);
        for language in &article.languages {
            xml.leaf("Language", language);
        }
        subject::databanks(xml, article);
        subject::grants(xml, article);
        let kinds = &article.publication_types;
        subject::list(xml, "PublicationTypeList", kinds, |xml, kind| {
            subject::term(xml, "PublicationType", kind);
        });
        if !article.vernacular_title.is_empty() {
            xml.rich("VernacularTitle", &[], &article.vernacular_title);
        }
        for event in article
            .history
            .iter()
            .filter(|event| data::is_article_date(event))
        {
            date::event(
                xml,
                "ArticleDate",
                &[("DateType", Some("Electronic"))],
                event,
            );
        }
    });
}

fn journal(xml: &mut XmlWriter, article: &Article) {
    if article.journal.is_none() && article.published.is_none() {
        return;
    }
    let none = Journal::default();
    let journal = article.journal.as_ref().unwrap_or(&none);
    xml.inside("Journal", &[], |xml| {
        if journal.issn.is_some() || journal.issn_type.is_some() {
            let attributes = [("IssnType", journal.issn_type.as_deref())];
            let number = journal.issn.as_deref().unwrap_or_default();
            xml.leaf_with("ISSN", &attributes, number);
        }
        let medium = [("CitedMedium", journal.cited_medium.as_deref())];
        xml.inside("JournalIssue", &medium, |xml| {
            xml.optional("Volume", journal.volume.as_ref());
            xml.optional("Issue", journal.issue.as_ref());
            date::publication(xml, "PubDate", article.published.as_ref());
        });
        xml.leaf("Title", &journal.title);
        xml.optional("ISOAbbreviation", journal.iso_abbreviation.as_ref());
    });
}

/// `MedlineJournalInfo`.
pub(super) fn medline_journal(xml: &mut XmlWriter, journal: Option<&Journal>) {
    let Some(journal) = journal else { return };
    xml.inside("MedlineJournalInfo", &[], |xml| {
        xml.optional("Country", journal.country.as_ref());
        xml.optional("MedlineTA", journal.medline_abbreviation.as_ref());
        xml.optional("NlmUniqueID", journal.nlm_id.as_ref());
        xml.optional("ISSNLinking", journal.issn_linking.as_ref());
    });
}

pub(super) fn pages(xml: &mut XmlWriter, pages: Option<&Pages>) {
    let Some(pages) = pages else { return };
    xml.inside("Pagination", &[], |xml| {
        xml.optional("StartPage", pages.start.as_ref());
        xml.optional("EndPage", pages.end.as_ref());
        xml.optional("MedlinePgn", pages.medline.as_ref());
    });
}
