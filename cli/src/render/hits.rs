//! A page of hits as a table.

use super::snippet;
use super::text::{byte_ranges, clean, columns, paint, wrap};
use crate::output::Style;
use medsift::AbstractOrigin;
use medsift::enrich::{ArticleEntities, Relation};
use medsift::fusion::SideRank;
use medsift::query::{Mode, Sort};
use medsift::searcher::{Hit, SearchResponse};

/// Lines of text below a title.
const SNIPPET_LINES: usize = 2;

/// Longest id that has room in its column.
const ID_COLUMNS: usize = 14;

/// Authors that are named.
const AUTHORS: usize = 3;

/// The page: a head line, the hits, and a foot that says what else there is.
pub(crate) fn page(response: &SearchResponse, width: usize, style: Style) -> String {
    if response.hits.is_empty() {
        return format!("{}{}\n", nothing(response), took(response));
    }
    let ids = response.hits.iter().map(|hit| columns(hit.id.as_str()));
    let layout = Layout {
        width,
        id: ids.max().unwrap_or(2).clamp(2, ID_COLUMNS),
        style,
        mode: response.mode,
        scored: response.hits.iter().any(|hit| hit.score != 0.0),
    };
    let mut page = layout.head();
    for hit in &response.hits {
        layout.hit(hit, &mut page);
    }
    let foot = foot(response);
    for line in foot.lines() {
        for part in wrap(line, width) {
            page.push_str(&line[part]);
            page.push('\n');
        }
    }
    page
}

/// Articles that are like another, as a table without a foot.
pub(crate) fn table(hits: &[Hit], width: usize, style: Style) -> String {
    let ids = hits.iter().map(|hit| columns(hit.id.as_str()));
    let layout = Layout {
        width,
        id: ids.max().unwrap_or(2).clamp(2, ID_COLUMNS),
        style,
        mode: Mode::Semantic,
        scored: true,
    };
    let mut page = layout.head();
    for hit in hits {
        layout.hit(hit, &mut page);
    }
    page
}

/// Where the columns stand.
struct Layout {
    width: usize,
    id: usize,
    style: Style,
    mode: Mode,
    /// Whether the list has scores: one by date has none, nor has one of
    /// articles that are selected without any words to rank them by.
    scored: bool,
}

impl Layout {
    /// Column at which titles begin: rank, id, score and year with two
    /// spaces after each.
    fn indent(&self) -> usize {
        4 + 2 + self.id + 2 + 6 + 2 + 4 + 2
    }

    fn head(&self) -> String {
        let line = format!(
            "{:>4}  {:<id$}  {:>6}  {:<4}  TITLE",
            "#",
            "ID",
            "SCORE",
            "YEAR",
            id = self.id
        );
        format!("{}\n", self.style.dim(&line))
    }

    fn hit(&self, hit: &Hit, page: &mut String) {
        let year = hit.year.map_or(String::new(), |year| year.to_string());
        let id = clean(hit.id.as_str());
        // Padded by columns, which the formatter would count as characters.
        let gap = " ".repeat(self.id.saturating_sub(columns(&id)));
        let score = match self.scored {
            true => format!("{:.4}", hit.score),
            false => "–".to_owned(),
        };
        page.push_str(&format!(
            "{:>4}  {id}{gap}  {score:>6}  {year:<4}  ",
            hit.rank
        ));
        if columns(&id) > self.id {
            page.push('\n');
            page.push_str(&" ".repeat(self.indent()));
        }
        let title = clean(&hit.title);
        let title = if title.trim().is_empty() {
            "(no title)".to_owned()
        } else {
            title
        };
        let marks = byte_ranges(&title, &hit.highlights.title);
        let mut lines: Vec<String> = wrap(&title, self.text_width())
            .into_iter()
            .map(|line| {
                paint(&title, line, &marks, self.style, |part| {
                    self.style.bold(part)
                })
            })
            .collect();
        lines.extend(
            self.plain(&byline(hit))
                .iter()
                .map(|line| self.style.dim(line)),
        );
        lines.extend(
            self.plain(&flags(hit))
                .iter()
                .map(|line| self.style.warn(line)),
        );
        lines.extend(self.snippet(hit));
        let entities = hit.entities.as_ref().map(named).unwrap_or_default();
        lines.extend(entities.iter().flat_map(|line| self.plain(line)));
        let relations = related(hit);
        lines.extend(relations.iter().flat_map(|line| self.plain(line)));
        if let Some(explain) = &hit.explain {
            let keyword = format!("keyword {}", place(explain.keyword));
            let semantic = format!("semantic {}", place(explain.semantic));
            let text = match self.mode {
                Mode::Hybrid => format!("{keyword} · {semantic}"),
                Mode::Keyword => keyword,
                Mode::Semantic => semantic,
            };
            lines.extend(self.plain(&text));
        }
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                page.push_str(&" ".repeat(self.indent()));
            }
            page.push_str(line);
            page.push('\n');
        }
        page.push('\n');
    }

    fn text_width(&self) -> usize {
        // Very narrow terminals get a little more than they have, rather than
        // one letter a line.
        self.width.saturating_sub(self.indent()).max(16)
    }

    fn plain(&self, text: &str) -> Vec<String> {
        let lines = wrap(text, self.text_width()).into_iter();
        lines.map(|line| text[line].to_owned()).collect()
    }

    fn snippet(&self, hit: &Hit) -> Vec<String> {
        let all: Vec<char> = clean(&hit.text).chars().collect();
        let budget = self.text_width() * SNIPPET_LINES;
        let shown = snippet::choose(hit, &all, budget);
        let lead = if shown.start > 0 { "…" } else { "" };
        let text: String = lead
            .chars()
            .chain(all[shown.clone()].iter().copied())
            .collect();
        let shift = lead.chars().count();
        let marks: Vec<[usize; 2]> = hit
            .highlights
            .text
            .iter()
            .filter(|mark| mark[0] >= shown.start && mark[1] <= shown.end)
            .map(|mark| mark.map(|at| at - shown.start + shift))
            .collect();
        let marks = byte_ranges(&text, &marks);
        let mut lines = wrap(&text, self.text_width());
        let cut = shown.end < all.len() || lines.len() > SNIPPET_LINES;
        lines.truncate(SNIPPET_LINES);
        let count = lines.len();
        let mut painted = Vec::with_capacity(count);
        for (number, mut line) in lines.into_iter().enumerate() {
            let last = cut && number + 1 == count;
            while last && columns(&text[line.clone()]) >= self.text_width() {
                // Make room for the sign that there is more.
                line.end -= text[line.clone()]
                    .chars()
                    .next_back()
                    .map_or(0, char::len_utf8);
            }
            let mut row = paint(&text, line, &marks, self.style, str::to_owned);
            if last {
                row.push('…');
            }
            painted.push(row);
        }
        painted
    }
}

/// Authors, journal, date, publication types.
fn byline(hit: &Hit) -> String {
    let mut authors = hit
        .authors
        .iter()
        .take(AUTHORS)
        .cloned()
        .collect::<Vec<_>>();
    if hit.authors.len() > AUTHORS {
        authors.push("et al.".to_owned());
    }
    let kinds = hit
        .publication_types
        .iter()
        .filter(|kind| !kind.eq_ignore_ascii_case("Journal Article"))
        .cloned()
        .collect::<Vec<_>>();
    let parts = [
        authors.join(", "),
        hit.journal.clone().unwrap_or_default(),
        hit.published.clone().unwrap_or_default(),
        kinds.join(", "),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    clean(&parts.join(" · "))
}

/// What must not be overlooked.
fn flags(hit: &Hit) -> String {
    let mut flags = Vec::new();
    if hit.retracted {
        flags.push("RETRACTED".to_owned());
    }
    match &hit.abstract_origin {
        AbstractOrigin::Main => {}
        AbstractOrigin::Other { kind, language } => {
            let of = kind.iter().chain(language).cloned().collect::<Vec<_>>();
            flags.push(format!("other abstract ({})", of.join(", ")));
        }
        AbstractOrigin::None => flags.push("no abstract".to_owned()),
    }
    clean(&flags.join(" · "))
}

fn place(side: Option<SideRank>) -> String {
    side.map_or_else(
        || "not found".to_owned(),
        |side| format!("#{} ({:.4})", side.rank, side.score),
    )
}

/// What an empty page says.
fn nothing(response: &SearchResponse) -> String {
    let found = response.found.candidates;
    if response.offset > 0 && found > 0 {
        return format!("no hits from {} on; there are {found}", response.offset + 1);
    }
    let mut text = "no article matches".to_owned();
    if !response.filter.is_empty() {
        text.push_str("; fewer filters find more");
    }
    text
}

fn foot(response: &SearchResponse) -> String {
    let first = response.offset + 1;
    let last = response.offset + response.hits.len();
    let mut foot = format!("hits {first} to {last} of {}", of_what(response));
    foot.push_str(&took(response));
    foot.push('\n');
    if let Some(next) = response.next_offset {
        foot.push_str(&format!("next page: --offset {next}\n"));
    } else if let Some(next) = response.next_cursor {
        foot.push_str(&format!("next page: --cursor {next}\n"));
    }
    foot
}

/// What the list is made of: articles that match, where words decide; else the
/// best candidates, which is not to say that they match anything.
fn of_what(response: &SearchResponse) -> String {
    let found = &response.found;
    let best = if found.more { "the best " } else { "" };
    let listed = found.candidates;
    let matches = found.keyword_matches.unwrap_or_default();
    if response.sort == Sort::Date {
        return format!("{best}{listed}, newest first");
    }
    match response.mode {
        Mode::Keyword if found.more => format!("{best}{listed} · {matches} match the words"),
        Mode::Keyword => format!("{listed} that match the words"),
        Mode::Semantic => format!("{best}{listed} ranked by meaning"),
        Mode::Hybrid => format!(
            "{best}{listed} ranked · {matches} match the words · {} by meaning",
            found.semantic_candidates.unwrap_or_default()
        ),
    }
}

/// A line for each type of entity: `Disease: asthma (3), cough`.
fn named(entities: &ArticleEntities) -> Vec<String> {
    let name = |(name, mentions): &(&str, usize)| match mentions {
        1 => clean(name),
        mentions => format!("{} ({mentions})", clean(name)),
    };
    let types = entities.by_type();
    let line = |(kind, names): &(&str, Vec<(&str, usize)>)| {
        let names: Vec<String> = names.iter().map(name).collect();
        format!("{}: {}", clean(kind), names.join(", "))
    };
    types.iter().map(line).collect()
}

/// A line for each relation, once, with the highest of its scores.
fn related(hit: &Hit) -> Vec<String> {
    let (Some(entities), Some(relations)) = (&hit.entities, &hit.relations) else {
        return Vec::new();
    };
    let told = relations.told(entities).into_iter();
    told.map(|told| {
        let [first, second] = [told.first, told.second].map(|one| clean(one.name()));
        let Relation { kind, score, .. } = told.relation;
        format!("{first} — {} — {second} ({score:.2})", clean(kind))
    })
    .collect()
}

fn took(response: &SearchResponse) -> String {
    format!(
        " · {} · {:.1} ms",
        response.mode.as_str(),
        response.took.total_ms
    )
}

#[cfg(test)]
mod tests;
