//! Title and abstract of XML records by another way than the reader's: a scan
//! over characters that knows tags, comments, CDATA and references, written
//! for well-formed files and for nothing else.

/// For each record of a file, the text of its title and abstract, one after
/// the other.
pub(crate) fn title_and_abstract(xml: &[u8]) -> Vec<String> {
    let xml = std::str::from_utf8(xml).unwrap();
    let mut records = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut rest = xml;
    // `MedlineCitation` stands inside `PubmedArticle`, or alone.
    let is_record = |name: &str| matches!(name, "MedlineCitation" | "BookDocument");
    while let Some(open) = rest.find('<') {
        take_text(&path, &rest[..open], &mut records);
        rest = &rest[open..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = &comment[comment.find("-->").unwrap() + 3..];
        } else if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap();
            push(&path, &data[..end], &mut records);
            rest = &data[end + 3..];
        } else {
            let end = tag_length(rest);
            let tag = &rest[1..end];
            rest = &rest[end + 1..];
            if tag.starts_with(['?', '!']) {
                continue;
            }
            if tag.starts_with('/') {
                path.pop();
                continue;
            }
            let name = tag.split([' ', '\n', '\t', '\r', '/']).next().unwrap();
            if is_record(name) {
                records.push(String::new());
            }
            if !tag.ends_with('/') {
                path.push(name);
            }
        }
    }
    records
}

/// Where a tag ends: at the first `>` outside of quotes.
fn tag_length(tag: &str) -> usize {
    let mut quote = None;
    for (place, character) in tag.char_indices() {
        match (quote, character) {
            (None, '>') => return place,
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    panic!("a tag without end: {}", &tag[..tag.len().min(60)]);
}

/// Whether text here belongs to the title or the abstract of the record.
fn is_wanted(path: &[&str]) -> bool {
    let titles = [
        ["Article", "ArticleTitle"],
        ["BookDocument", "ArticleTitle"],
    ];
    let in_title = titles.iter().any(|pair| path.windows(2).any(|w| w == pair));
    let in_abstract = path.windows(2).any(|w| w == ["Abstract", "AbstractText"]);
    in_title || in_abstract
}

fn push(path: &[&str], text: &str, records: &mut [String]) {
    if is_wanted(path) {
        records.last_mut().unwrap().push_str(text);
    }
}

fn take_text(path: &[&str], text: &str, records: &mut [String]) {
    if !is_wanted(path) {
        return;
    }
    let mut parts = text.split('&');
    push(path, parts.next().unwrap(), records);
    for part in parts {
        let (name, after) = part.split_once(';').unwrap();
        let character = match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = name.strip_prefix('#').unwrap();
                let code = match number.strip_prefix('x') {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                char::from_u32(code.unwrap()).unwrap()
            }
        };
        push(path, character.encode_utf8(&mut [0; 4]), records);
        push(path, after, records);
    }
}
