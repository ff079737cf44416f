//! Where an article was published, in one line, and its identifiers.

use super::html::Html;
use medsift::article::{Article, ArticleKind};

/// Journal or book, date, volume, issue and pages.
pub(crate) fn write(html: &mut Html, article: &Article) {
    html.element("p", &[("class", "citation")], |html| {
        let mut parts = Parts { html, any: false };
        match (&article.journal, &article.book) {
            (Some(journal), _) => parts.next(|html| {
                html.leaf("cite", &[("title", &journal.title)], journal.short_title());
            }),
            (None, Some(book)) => parts.next(|html| {
                html.element("cite", &[], |html| super::rich::write(html, &book.title));
            }),
            (None, None) => {}
        }
        if let Some(date) = &article.published {
            parts.next(|html| {
                html.text(date);
            });
        }
        let place = place(article);
        if !place.is_empty() {
            parts.next(|html| {
                html.text(&place);
            });
        }
    });
}

/// Writes parts with a point between them.
struct Parts<'a> {
    html: &'a mut Html,
    any: bool,
}

impl Parts<'_> {
    fn next(&mut self, part: impl FnOnce(&mut Html)) {
        if self.any {
            self.html.raw("<span class=\"dot\"> · </span>");
        }
        self.any = true;
        part(self.html);
    }
}

/// `12(3):123-9`, as much of it as is known.
pub(crate) fn place(article: &Article) -> String {
    let mut place = String::new();
    if let Some(journal) = &article.journal {
        place.extend(journal.volume.as_deref());
        if let Some(issue) = &journal.issue {
            place.push_str(&format!("({issue})"));
        }
    }
    let pages = article.pages.as_ref().and_then(|pages| {
        pages
            .medline
            .clone()
            .or_else(|| match (&pages.start, &pages.end) {
                (Some(start), Some(end)) => Some(format!("{start}-{end}")),
                (start, end) => start.clone().or_else(|| end.clone()),
            })
    });
    if let Some(pages) = pages.filter(|pages| !pages.is_empty()) {
        if !place.is_empty() {
            place.push(':');
        }
        place.push_str(&pages);
    }
    place
}

/// Identifiers, those of public registries as links.
pub(crate) fn write_ids(html: &mut Html, article: &Article) {
    html.element(
        "ul",
        &[("class", "ids"), ("aria-label", "Identifiers")],
        |html| {
            match pubmed_address(article) {
                Some(address) => id_link(html, "PMID", article.id.as_str(), &address),
                None => {
                    html.element("li", &[], |html| {
                        html.raw("ID ").text(&article.id);
                    });
                }
            }
            if let Some(doi) = article.other_id("doi") {
                id_link(html, "DOI", doi, &doi_address(doi));
            }
            if let Some(pmc) = article.other_id("pmc") {
                id_link(html, "", pmc, &pmc_address(pmc));
            }
        },
    );
}

fn id_link(html: &mut Html, name: &'static str, value: &str, address: &str) {
    html.element("li", &[], |html| {
        if !name.is_empty() {
            html.text(name).raw(" ");
        }
        outward(html, address, value);
    });
}

/// A link that leaves this server; the address must begin with a scheme of
/// our own choosing.
pub(crate) fn outward(html: &mut Html, address: &str, text: &str) {
    html.leaf(
        "a",
        &[("href", address), ("rel", "noopener noreferrer external")],
        text,
    );
}

fn pubmed_address(article: &Article) -> Option<String> {
    let pubmed = article.kind != ArticleKind::Document;
    pubmed.then(|| pmid_address(article.id.as_str())).flatten()
}

/// PubMed's page of an article, if the text is a PMID: one to eight digits.
pub(crate) fn pmid_address(pmid: &str) -> Option<String> {
    let fits = (1..=8).contains(&pmid.len()) && pmid.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/"))
}

/// The resolver's address of a DOI.
pub(crate) fn doi_address(doi: &str) -> String {
    format!("https://doi.org/{}", in_path(doi))
}

/// PubMed Central's page of an article.
pub(crate) fn pmc_address(pmc: &str) -> String {
    let number = pmc.strip_prefix("PMC").unwrap_or(pmc);
    format!(
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC{}/",
        in_path(number)
    )
}

/// ClinicalTrials.gov's page of a trial, if the text is one of its numbers.
pub(crate) fn trial_address(accession: &str) -> Option<String> {
    let digits = accession.strip_prefix("NCT")?;
    let fits = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| format!("https://clinicaltrials.gov/study/{accession}"))
}

/// A text as part of a path: everything but unreserved characters and slashes
/// percent-encoded (RFC 3986).
pub(crate) fn in_path(text: &str) -> String {
    let mut path = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

/// The address of an article's own page here.
pub(crate) fn article_address(id: &str, query: &str) -> String {
    let id = in_path(id).replace('/', "%2F");
    match query {
        "" => format!("/articles/{id}"),
        query => format!("/articles/{id}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::ArticleId;
    use medsift::article::{Journal, Pages};

    #[test]
    fn the_place_shows_what_is_known() {
        let mut article = Article::new(ArticleId::new("1").unwrap());
        assert_eq!(place(&article), "");
        article.pages = Some(Pages {
            start: Some("5".into()),
            end: Some("9".into()),
            ..Pages::default()
        });
        assert_eq!(place(&article), "5-9");
        article.journal = Some(Journal {
            volume: Some("12".into()),
            issue: Some("3".into()),
            ..Journal::default()
        });
        assert_eq!(place(&article), "12(3):5-9");
    }

    #[test]
    fn identifiers_cannot_leave_their_site() {
        assert_eq!(
            doi_address("10.1/a<b>;c#d?e"),
            "https://doi.org/10.1/a%3Cb%3E%3Bc%23d%3Fe"
        );
        assert_eq!(
            pmc_address("PMC12"),
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC12/"
        );
        assert_eq!(pmid_address("javascript:x"), None);
        assert_eq!(pmid_address("123456789"), None);
        assert_eq!(trial_address("NCT0000012"), None);
        assert!(trial_address("NCT00000123").is_some());
        assert_eq!(article_address("a/b:c", "q=x"), "/articles/a%2Fb%3Ac?q=x");
    }
}
