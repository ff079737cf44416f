use super::super::html::Html;
use medsift::article::{Article, Chemical, MeshHeading};

/// What the article is about, as indexers and authors said.
pub(super) fn write(html: &mut Html, article: &Article) {
    mesh(html, &article.mesh);
    let concepts = article.supplementary_concepts.iter();
    list(
        html,
        "Supplementary concepts",
        concepts.map(|one| one.concept.name.clone()),
    );
    let keywords = article.keywords.iter().flat_map(|list| &list.keywords);
    list(
        html,
        "Keywords",
        keywords.map(|keyword| keyword.text.clone()),
    );
    list(html, "Substances", article.chemicals.iter().map(substance));
    list(html, "Gene symbols", article.gene_symbols.iter().cloned());
    list(
        html,
        "Space flight missions",
        article.space_flight_missions.iter().cloned(),
    );
}

/// Headings with their qualifiers, main topics marked with a star as PubMed
/// marks them.
fn mesh(html: &mut Html, headings: &[MeshHeading]) {
    if headings.is_empty() {
        return;
    }
    html.element("section", &[("class", "subjects")], |html| {
        html.raw("<h2>MeSH headings</h2>");
        html.element("ul", &[("class", "terms")], |html| {
            for heading in headings {
                html.element(
                    "li",
                    &[("class", if heading.is_major() { "major" } else { "minor" })],
                    |html| {
                        html.text(&heading.descriptor.name);
                        if heading.major {
                            star(html);
                        }
                        for (qualifier, major) in &heading.qualifiers {
                            html.raw(" / ").text(&qualifier.name);
                            if *major {
                                star(html);
                            }
                        }
                    },
                );
            }
        });
    });
}

fn star(html: &mut Html) {
    html.raw("<span aria-hidden=\"true\" title=\"Main topic\">*</span><span class=\"hidden\"> (main topic)</span>");
}

/// Name and registry number; `0` stands for none.
fn substance(chemical: &Chemical) -> String {
    match chemical.registry_number.as_deref() {
        None | Some("" | "0") => chemical.substance.name.clone(),
        Some(number) => format!("{} ({number})", chemical.substance.name),
    }
}

fn list(html: &mut Html, heading: &'static str, terms: impl Iterator<Item = String>) {
    let mut terms = terms.peekable();
    if terms.peek().is_none() {
        return;
    }
    html.element("section", &[("class", "subjects")], |html| {
        html.leaf("h2", &[], heading);
        html.element("ul", &[("class", "terms")], |html| {
            for term in terms {
                html.leaf("li", &[], term);
            }
        });
    });
}
