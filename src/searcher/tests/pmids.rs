//! Lists of PMIDs: what counts, orders, sets, citations.

use super::*;
use crate::article::{
    ArticleKind, Author, CorrectionKind, Journal, Link, OtherId, PersonName, Reference,
};
use crate::query::pubmed::{Date, Limits, parse, parse_lenient_line};
use std::collections::BTreeMap;

/// Records of PubMed, one of them deleted; one of another source; one whose id
/// is a number and no PMID.
fn library() -> (TempDir, Index) {
    let mut first = article("10", "Statins and muscle pain", "D063806", "Myalgia", 2015);
    let mut second = article("9", "Statins in old age", "D000368", "Aged", 2019);
    let mut third = article(
        "100",
        "Muscle pain after statins, statins",
        "D063806",
        "Myalgia",
        2011,
    );
    for (article, author, journal) in [
        (&mut first, "Roe", "Zeta"),
        (&mut second, "Abel", "Alpha"),
        (&mut third, "Doe", "Kappa"),
    ] {
        let name = PersonName {
            last: author.into(),
            ..PersonName::default()
        };
        article.authors.push(Author {
            name: Some(name),
            ..Author::default()
        });
        article.journal = Some(Journal {
            title: journal.into(),
            ..Journal::default()
        });
    }
    first.references.push(Reference {
        ids: vec![OtherId {
            kind: "pubmed".into(),
            value: "9".into(),
            valid: true,
        }],
        ..Reference::default()
    });
    third.links.push(Link {
        kind: CorrectionKind::Cites,
        source: String::new(),
        pmid: Some("9".into()),
        note: None,
    });
    let deleted = article("11", "Statins withdrawn", "D000368", "Aged", 2016);
    let other = article("PMC7", "Statins elsewhere", "D000368", "Aged", 2016);
    let mut document = article("12", "Statins in a collection", "D000368", "Aged", 2016);
    document.kind = ArticleKind::Document;
    let dir = TempDir::new().unwrap();
    add(dir.path(), &[first, second, deleted]);
    add(dir.path(), &[third, other, document]);
    remove(dir.path(), &["11"]);
    let settings = SearchSettings::default();
    let index = Index::open_with(dir.path(), None, Extras::default(), settings);
    (dir, index.unwrap())
}

fn wanted(query: &str, order: PmidOrder) -> PmidSearch {
    PmidSearch {
        tree: parse(query, Limits::default()).unwrap(),
        day: Date::today(),
        sets: BTreeMap::new(),
        order,
        from: 0,
        most: 100,
    }
}

#[test]
fn articles_without_a_pmid_are_counted_apart() {
    let (_dir, index) = library();
    let searcher = index.searcher().unwrap();
    let list = searcher
        .pmid_list(&wanted("statins[ti]", PmidOrder::Newest))
        .unwrap();
    assert_eq!((list.count, list.without_pmid), (3, 2));
    assert_eq!(list.pmids, [100, 10, 9]);
    assert_eq!(searcher.articles_with_pmid().unwrap(), 3);
    for (pmid, held) in [(10, true), (11, false), (12, false), (13, false)] {
        assert_eq!(searcher.holds_pmid(pmid).unwrap(), held, "{pmid}");
        assert_eq!(
            searcher.article_of_pmid(pmid).unwrap().is_some(),
            held,
            "{pmid}"
        );
    }
}

#[test]
fn each_order_lists_the_same_articles_from_anywhere_on() {
    let (_dir, index) = library();
    let searcher = index.searcher().unwrap();
    for (order, expected) in [
        (PmidOrder::Newest, [100, 10, 9]),
        (PmidOrder::Date, [9, 10, 100]),
        (PmidOrder::FirstAuthor, [9, 100, 10]),
        (PmidOrder::Journal, [9, 100, 10]),
    ] {
        let mut search = wanted("statins[ti]", order);
        assert_eq!(
            searcher.pmid_list(&search).unwrap().pmids,
            expected,
            "{order:?}"
        );
        (search.from, search.most) = (1, 1);
        let part = searcher.pmid_list(&search).unwrap();
        assert_eq!(
            (part.count, part.pmids.as_slice()),
            (3, &expected[1..2]),
            "{order:?}"
        );
        search.from = 3;
        assert!(searcher.pmid_list(&search).unwrap().pmids.is_empty());
    }
    // By relevance: the title that says it twice comes first.
    let best = searcher
        .pmid_list(&wanted("statins[ti]", PmidOrder::Relevance))
        .unwrap();
    assert_eq!((best.count, best.pmids[0]), (3, 100));
}

#[test]
fn sets_are_operands_and_words_are_mapped() {
    let (_dir, index) = library();
    let searcher = index.searcher().unwrap();
    let sets = BTreeMap::from([(2, Arc::from([10_u32, 9, 11, 12]))]);
    let numbers = sets.keys().copied().collect();
    let read = parse_lenient_line("statins NOT #2", Limits::default(), &numbers);
    let search = PmidSearch {
        tree: read.tree.unwrap(),
        sets,
        ..wanted("a", PmidOrder::Newest)
    };
    let list = searcher.pmid_list(&search).unwrap();
    assert_eq!((list.count, list.pmids.as_slice()), (1, &[100][..]));
    assert!(list.tree.to_string().ends_with("NOT #2"), "{}", list.tree);
    assert!(
        list.mapped
            .iter()
            .all(|(from, to)| from == "statins" && to.contains("[All Fields]"))
    );
}

#[test]
fn citations_are_found_from_both_ends() {
    let (_dir, index) = library();
    let searcher = index.searcher().unwrap();
    assert_eq!(searcher.cited_in(9).unwrap(), [10, 100]);
    assert!(searcher.cited_in(10).unwrap().is_empty());
    assert_eq!(searcher.without_citations().unwrap(), 0);
}
