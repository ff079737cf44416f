//! One article with every part that is stored.

use super::rich::plain;
use super::sheet::Sheet;
use crate::output::Style;
use medsift::article::{
    Affiliation, Article, ArticleKind, Author, Book, Databank, Grant, Identifier, Journal, Keyword,
    KeywordList, Link, MeshHeading, MeshTerm, NamedPerson, OtherAbstract, OtherId, Pages,
    Reference, Section,
};
use medsift::index::StoredArticle;

/// The article as a sheet.
pub(crate) fn page(stored: &StoredArticle, width: usize, style: Style) -> String {
    let mut sheet = Sheet::new(width, style);
    article(&mut sheet, &stored.article);
    sheet.heading("In the index");
    sheet.field("source file", &stored.source);
    sheet.field("content", &stored.content);
    sheet.finish()
}

/// Taken apart field by field, without a rest pattern, so that a part that
/// is added to the record cannot be forgotten here.
fn article(sheet: &mut Sheet, article: &Article) {
    let retracted = article.is_retracted();
    let Article {
        id,
        version,
        kind,
        status,
        owner,
        title,
        vernacular_title,
        abstract_sections,
        copyright,
        other_abstracts,
        body,
        authors,
        authors_complete,
        editors,
        investigators,
        personal_name_subjects,
        journal,
        book,
        pages,
        published,
        history,
        publication_status,
        publication_model,
        languages,
        publication_types,
        mesh,
        indexing_method,
        supplementary_concepts,
        chemicals,
        keywords,
        gene_symbols,
        databanks,
        databanks_complete,
        grants,
        grants_complete,
        reference_count,
        references,
        links,
        other_ids,
        citation_subsets,
        space_flight_missions,
        notes,
        conflict_of_interest,
        metadata,
    } = article;

    sheet.heading(&plain(article.display_title()));
    if retracted {
        sheet.warning("RETRACTED");
    }
    if !title.is_empty() && !vernacular_title.is_empty() {
        sheet.field("original title", plain(vernacular_title));
    }
    sheet.field("id", id);
    if *version != 1 {
        sheet.field("version", version);
    }
    sheet.list("identifiers", other_ids.iter().map(other_id));
    if *kind != ArticleKind::Journal {
        sheet.field("kind", format!("{kind:?}").to_lowercase());
    }
    if let Some(journal) = journal {
        journal_fields(sheet, journal);
    }
    if let Some(book) = book {
        book_fields(sheet, book);
    }
    sheet.optional("pages", pages.as_ref().map(page_range));
    sheet.optional("published", published.as_ref());
    sheet.field("languages", languages.join(", "));
    sheet.list("types", publication_types.iter().map(mesh_term));
    sheet.optional("status", status.as_ref());
    sheet.optional("owner", owner.as_ref());
    sheet.optional("publication", publication_status.as_ref());
    sheet.optional("medium", publication_model.as_ref());
    sheet.list("authors", authors.iter().map(author));
    if !authors_complete {
        sheet.field("", "and others whom the source does not list");
    }
    sheet.list("editors", editors.iter().map(author));

    if !abstract_sections.is_empty() {
        sheet.heading("Abstract");
    }
    sections(sheet, abstract_sections);
    sheet.optional("copyright", copyright.as_ref());
    for other in other_abstracts {
        other_abstract(sheet, other);
    }
    if !body.is_empty() {
        sheet.heading("Text");
        sections(sheet, body);
    }

    sheet.heading("Subjects");
    sheet.list("MeSH", mesh.iter().map(mesh_heading));
    sheet.optional("assigned", indexing_method.as_ref());
    sheet.list(
        "supplementary",
        supplementary_concepts
            .iter()
            .map(|concept| with(mesh_term(&concept.concept), concept.kind.as_deref())),
    );
    sheet.list(
        "chemicals",
        chemicals.iter().map(|chemical| {
            with(
                mesh_term(&chemical.substance),
                chemical.registry_number.as_deref(),
            )
        }),
    );
    sheet.list("keywords", keywords.iter().map(keyword_list));
    sheet.field("gene symbols", gene_symbols.join(", "));
    sheet.list("about", personal_name_subjects.iter().map(person));
    sheet.field("missions", space_flight_missions.join(", "));
    sheet.field("subsets", citation_subsets.join(", "));

    sheet.heading("Record");
    sheet.list("investigators", investigators.iter().map(person));
    sheet.list("databanks", databanks.iter().map(databank));
    if !databanks_complete {
        sheet.field("", "and other databanks that the source does not list");
    }
    sheet.list("grants", grants.iter().map(grant));
    if !grants_complete {
        sheet.field("", "and other grants that the source does not list");
    }
    sheet.list("links", links.iter().map(link));
    sheet.list(
        "dates",
        history.iter().map(|date| {
            let time = date.time.as_ref().map(|time| format!(" {time}"));
            format!("{} {}{}", date.event, date.date, time.unwrap_or_default())
        }),
    );
    sheet.optional("conflicts", conflict_of_interest.as_ref());
    sheet.list(
        "notes",
        notes
            .iter()
            .map(|note| with(note.text.clone(), note.owner.as_deref())),
    );
    sheet.list(
        "metadata",
        metadata
            .iter()
            .map(|(key, value)| format!("{key}: {value}")),
    );
    sheet.optional("reference count", reference_count.as_ref());
    if !references.is_empty() {
        sheet.heading(&format!("References ({})", references.len()));
        for (number, cited) in (1..).zip(references) {
            sheet.field(&format!("{number:>4}"), reference(cited));
        }
    }
}

fn journal_fields(sheet: &mut Sheet, journal: &Journal) {
    let Journal {
        title,
        iso_abbreviation,
        medline_abbreviation,
        nlm_id,
        issn,
        issn_type,
        issn_linking,
        volume,
        issue,
        country,
        cited_medium,
    } = journal;
    sheet.field("journal", title);
    sheet.optional("abbreviation", iso_abbreviation.as_ref());
    if medline_abbreviation != iso_abbreviation {
        sheet.optional("MEDLINE", medline_abbreviation.as_ref());
    }
    sheet.optional(
        "ISSN",
        issn.clone().map(|issn| with(issn, issn_type.as_deref())),
    );
    sheet.optional("linking ISSN", issn_linking.as_ref());
    sheet.optional("NLM id", nlm_id.as_ref());
    sheet.optional("volume", volume.as_ref());
    sheet.optional("issue", issue.as_ref());
    sheet.optional("country", country.as_ref());
    sheet.optional("cited medium", cited_medium.as_ref());
}

fn book_fields(sheet: &mut Sheet, book: &Book) {
    let Book {
        title,
        publisher,
        place,
        volume,
        volume_title,
        edition,
        collection_title,
        isbn,
        medium,
        report_number,
        beginning,
        ending,
        location,
        section_titles,
    } = book;
    sheet.field("book", plain(title));
    sheet.optional("series", collection_title.as_ref());
    sheet.optional("edition", edition.as_ref());
    sheet.optional("volume", volume.as_ref());
    sheet.optional("volume title", volume_title.as_ref());
    sheet.optional("publisher", publisher.as_ref());
    sheet.optional("place", place.as_ref());
    sheet.field("ISBN", isbn.join(", "));
    sheet.optional("book medium", medium.as_ref());
    sheet.optional("report", report_number.as_ref());
    sheet.optional("begun", beginning.as_ref());
    sheet.optional("ended", ending.as_ref());
    sheet.field("chapter", location.join(", "));
    sheet.list("sections", section_titles.iter().cloned());
}

fn sections(sheet: &mut Sheet, sections: &[Section]) {
    for section in sections {
        let Section {
            label,
            category,
            text,
        } = section;
        let heading = match (label, category) {
            (Some(label), Some(category)) if label != category => format!("{label} ({category})"),
            (Some(name), _) | (None, Some(name)) => name.clone(),
            (None, None) => String::new(),
        };
        if heading.is_empty() {
            sheet.paragraph(&plain(text));
        } else {
            sheet.paragraph(&format!("{heading}: {}", plain(text)));
        }
    }
}

fn other_abstract(sheet: &mut Sheet, other: &OtherAbstract) {
    let OtherAbstract {
        kind,
        language,
        sections: parts,
        copyright,
    } = other;
    let of: Vec<&str> = [kind, language]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    sheet.heading(&with("Other abstract".to_owned(), Some(&of.join(", "))));
    sections(sheet, parts);
    sheet.optional("copyright", copyright.as_ref());
}

fn author(author: &Author) -> String {
    let Author {
        name,
        collective,
        identifiers,
        affiliations,
        equal_contribution,
        valid,
        role,
    } = author;
    let mut parts = Vec::new();
    if let Some(name) = name {
        parts.push(full_name(name));
    }
    parts.extend(collective.clone());
    parts.extend(role.clone());
    if *equal_contribution {
        parts.push("equal contribution".to_owned());
    }
    if !valid {
        parts.push("name marked as misspelt".to_owned());
    }
    with_places(parts.join("; "), identifiers, affiliations)
}

fn person(person: &NamedPerson) -> String {
    let NamedPerson {
        name,
        identifiers,
        affiliations,
        valid,
    } = person;
    let mut name = full_name(name);
    if !valid {
        name.push_str("; name marked as misspelt");
    }
    with_places(name, identifiers, affiliations)
}

/// `Smith JA (John Andrew)`.
fn full_name(name: &medsift::article::PersonName) -> String {
    with(name.short(), name.fore.as_deref())
}

fn with_places(name: String, identifiers: &[Identifier], affiliations: &[Affiliation]) -> String {
    let mut parts = vec![name];
    parts.extend(identifiers.iter().map(identifier));
    for place in affiliations {
        parts.push(place.name.clone());
        parts.extend(place.identifiers.iter().map(identifier));
    }
    parts.join("; ")
}

fn identifier(identifier: &Identifier) -> String {
    format!("{} {}", identifier.source, identifier.value)
}

fn other_id(id: &OtherId) -> String {
    let valid = if id.valid {
        ""
    } else {
        " (marked as not valid)"
    };
    format!("{} {}{valid}", id.kind, id.value)
}

fn page_range(pages: &Pages) -> String {
    let Pages {
        medline,
        start,
        end,
    } = pages;
    let ends: Vec<&str> = [start, end]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    match medline {
        Some(medline) if ends.is_empty() || ends.join("-") == *medline => medline.clone(),
        Some(medline) => format!("{medline} ({})", ends.join("-")),
        None => ends.join("-"),
    }
}

fn mesh_term(term: &MeshTerm) -> String {
    with(term.name.clone(), term.ui.as_deref())
}

/// `Descriptor (D…) / qualifier (Q…)*`; main topics carry a star.
fn mesh_heading(heading: &MeshHeading) -> String {
    let star = |major: bool| if major { "*" } else { "" };
    let mut text = format!("{}{}", mesh_term(&heading.descriptor), star(heading.major));
    if let Some(kind) = &heading.kind {
        text = with(text, Some(kind));
    }
    for (qualifier, major) in &heading.qualifiers {
        text.push_str(&format!(" / {}{}", mesh_term(qualifier), star(*major)));
    }
    text
}

fn keyword_list(list: &KeywordList) -> String {
    let word = |word: &Keyword| format!("{}{}", word.text, if word.major { "*" } else { "" });
    let words: Vec<String> = list.keywords.iter().map(word).collect();
    with(words.join(", "), list.owner.as_deref())
}

fn databank(bank: &Databank) -> String {
    format!("{} {}", bank.name, bank.accessions.join(", "))
}

fn grant(grant: &Grant) -> String {
    let Grant {
        id,
        acronym,
        agency,
        country,
    } = grant;
    let parts = [id, acronym, agency, country].into_iter().flatten();
    parts.cloned().collect::<Vec<_>>().join(", ")
}

fn link(link: &Link) -> String {
    let Link {
        kind,
        source,
        pmid,
        note,
    } = link;
    let kind = serde_json::to_value(kind)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default();
    let pmid = pmid.as_ref().map(|pmid| format!("PMID {pmid}"));
    let parts = [Some(source.clone()), pmid, note.clone()];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    format!("{kind}: {}", parts.join("; "))
}

fn reference(reference: &Reference) -> String {
    let Reference {
        citation,
        list_title,
        ids,
    } = reference;
    let mut parts = vec![citation.clone()];
    parts.extend(list_title.iter().map(|title| format!("[{title}]")));
    parts.extend(ids.iter().map(other_id));
    parts.join(" ")
}

/// A text with more about it in brackets.
fn with(text: String, more: Option<&str>) -> String {
    match more {
        Some(more) if !more.is_empty() => format!("{text} ({more})"),
        _ => text,
    }
}

#[cfg(test)]
mod tests;
