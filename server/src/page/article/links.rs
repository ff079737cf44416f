use super::super::citation::{doi_address, outward, pmc_address, pmid_address, trial_address};
use super::super::html::Html;
use medsift::article::{Article, CorrectionKind, Databank, Link, OtherId, Reference};

/// Other articles, registered trials and data sets, and the works cited.
pub(super) fn write(html: &mut Html, article: &Article) {
    corrections(html, &article.links);
    databanks(html, &article.databanks);
    references(html, &article.references);
}

fn corrections(html: &mut Html, links: &[Link]) {
    if links.is_empty() {
        return;
    }
    html.raw("<section class=\"links\"><h2>Corrections, comments and versions</h2><dl>");
    for link in links {
        html.element("div", &[], |html| {
            html.leaf("dt", &[], in_words(&link.kind));
            html.element("dd", &[], |html| {
                target(html, link);
                if let Some(note) = &link.note {
                    html.raw(" (").text(note).raw(")");
                }
            });
        });
    }
    html.raw("</dl></section>");
}

/// Where a linked article was published, with its PMID.
pub(super) fn target(html: &mut Html, link: &Link) {
    html.text(&link.source);
    if let Some(pmid) = &link.pmid {
        html.raw(" ");
        identifier(html, "PMID", pmid, pmid_address(pmid));
    }
}

fn identifier(html: &mut Html, name: &'static str, value: &str, address: Option<String>) {
    let text = format!("{name} {value}");
    match address {
        Some(address) => outward(html, &address, &text),
        None => {
            html.text(text);
        }
    }
}

/// The DTD's name with its words apart: `RetractionIn` is `Retraction in`.
fn in_words(kind: &CorrectionKind) -> String {
    let name = match kind {
        CorrectionKind::Other(name) => name.clone(),
        known => format!("{known:?}"),
    };
    let mut words = String::with_capacity(name.len() + 4);
    for (place, letter) in name.chars().enumerate() {
        if place > 0 && letter.is_uppercase() {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

fn databanks(html: &mut Html, databanks: &[Databank]) {
    if databanks.is_empty() {
        return;
    }
    html.raw("<section class=\"links\"><h2>Trials and data</h2><dl>");
    for bank in databanks {
        html.element("div", &[], |html| {
            html.leaf("dt", &[], &bank.name);
            html.element("dd", &[], |html| {
                for (place, accession) in bank.accessions.iter().enumerate() {
                    if place > 0 {
                        html.raw(", ");
                    }
                    match trial_address(accession) {
                        Some(address) => outward(html, &address, accession),
                        None => {
                            html.text(accession);
                        }
                    }
                }
            });
        });
    }
    html.raw("</dl></section>");
}

fn references(html: &mut Html, references: &[Reference]) {
    if references.is_empty() {
        return;
    }
    html.element("details", &[("class", "references")], |html| {
        html.leaf(
            "summary",
            &[],
            format_args!("References ({})", references.len()),
        );
        html.element("ol", &[], |html| {
            for reference in references {
                html.element("li", &[], |html| {
                    html.text(&reference.citation);
                    for id in &reference.ids {
                        html.raw(" ");
                        cited_id(html, id);
                    }
                });
            }
        });
    });
}

fn cited_id(html: &mut Html, id: &OtherId) {
    let value = id.value.as_str();
    match id.kind.to_ascii_lowercase().as_str() {
        "pubmed" => identifier(html, "PMID", value, pmid_address(value)),
        "doi" => identifier(html, "DOI", value, Some(doi_address(value))),
        "pmc" => identifier(html, "PMC", value, Some(pmc_address(value))),
        _ => {
            html.text(format_args!("{} {value}", id.kind));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_words() {
        assert_eq!(in_words(&CorrectionKind::RetractionIn), "Retraction in");
        assert_eq!(
            in_words(&CorrectionKind::CorrectedAndRepublishedFrom),
            "Corrected and republished from"
        );
        assert_eq!(
            in_words(&CorrectionKind::Other("Preprint".into())),
            "Preprint"
        );
    }
}
