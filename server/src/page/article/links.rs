use super::super::citation::{doi_address, outward, pmc_address, trial_address};
use super::super::html::Html;
use super::linked::Linked;
use medsift::article::{Article, CorrectionKind, Databank, Link, OtherId, Reference};

/// Other articles, registered trials and data sets, and the works cited.
pub(super) fn write(html: &mut Html, article: &Article, linked: &Linked) {
    corrections(html, &article.links, linked);
    databanks(html, &article.databanks);
    references(html, &article.references, linked);
}

fn corrections(html: &mut Html, links: &[Link], linked: &Linked) {
    if links.is_empty() {
        return;
    }
    html.raw("<section class=\"links\"><h2>Corrections, comments and versions</h2><dl>");
    for link in links {
        html.element("div", &[], |html| {
            html.leaf("dt", &[], in_words(&link.kind));
            html.element("dd", &[], |html| {
                target(html, link, linked);
                if let Some(note) = &link.note {
                    html.raw(" (").text(note).raw(")");
                }
            });
        });
    }
    html.raw("</dl></section>");
}

/// Where a linked article was published, with its PMID.
pub(super) fn target(html: &mut Html, link: &Link, linked: &Linked) {
    html.text(&link.source);
    if let Some(pmid) = &link.pmid {
        html.raw(" ");
        linked.write(html, pmid);
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

fn references(html: &mut Html, references: &[Reference], linked: &Linked) {
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
                        cited_id(html, id, linked);
                    }
                });
            }
        });
    });
}

fn cited_id(html: &mut Html, id: &OtherId, linked: &Linked) {
    let value = id.value.as_str();
    match id.kind.to_ascii_lowercase().as_str() {
        "pubmed" => linked.write(html, value),
        "doi" => outward(html, &doi_address(value), &format!("DOI {value}")),
        "pmc" => outward(html, &pmc_address(value), &format!("PMC {value}")),
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
