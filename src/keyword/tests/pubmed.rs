//! Queries of PubMed's language against a small index: every tag, and what is
//! told of what it does not find.

mod properties;
mod sample;

use super::super::{Scope, Selection, Setting};
use super::*;
use crate::mesh::MeshTable;
use crate::query::pubmed::{Date, Limits, parse};
use std::sync::OnceLock;

fn snapshot() -> &'static KeywordSnapshot {
    static INDEX: OnceLock<(TempDir, KeywordSnapshot)> = OnceLock::new();
    &INDEX.get_or_init(|| index_of(&sample::articles())).1
}

fn setting(mesh: Option<&MeshTable>) -> Setting<'_> {
    Setting::new(mesh, Date::parse("2023/06/30").unwrap())
}

fn select(query: &str, mesh: Option<&MeshTable>) -> Selection {
    let tree = parse(query, Limits::default()).unwrap_or_else(|fault| panic!("{query}: {fault}"));
    snapshot().select(&tree, setting(mesh)).unwrap()
}

fn keys(selection: &Selection) -> Vec<u32> {
    let scope = Scope {
        selection: Some(selection),
        ..Scope::of(&EVERYTHING)
    };
    snapshot().matching_in(&scope).unwrap().iter().collect()
}

static EVERYTHING: Filter = Filter {
    year: None,
    journal: Vec::new(),
    publication_type: Vec::new(),
    mesh: Vec::new(),
    language: Vec::new(),
    has_abstract: None,
    retracted: None,
};

fn selected(query: &str) -> Vec<u32> {
    keys(&select(query, None))
}

#[track_caller]
fn all(table: &[(&str, &[u32])]) {
    for (query, expected) in table {
        assert_eq!(selected(query), *expected, "{query}");
    }
}

#[test]
fn operators() {
    all(&[
        ("asthma[ti]", &[0, 1]),
        ("asthma[ti] AND children[tiab]", &[0]),
        ("asthma[ti] OR gout[ti]", &[0, 1, 2]),
        ("asthma[ti] NOT children[tiab]", &[1]),
        ("gout[ti] OR asthma[ti] AND children[tiab]", &[0]),
        ("gout[ti] OR (asthma[ti] AND children[tiab])", &[0, 2]),
        ("all[sb] NOT asthma[ti]", &[2, 3]),
    ]);
}

#[test]
fn words_in_their_fields() {
    all(&[
        ("steroids[ti]", &[]),
        ("steroids[tiab]", &[0]),
        ("steroids[ab]", &[0]),
        ("wheeze[tiab]", &[0]),
        ("wheeze[ot]", &[0]),
        ("wheeze[ti]", &[]),
        ("bronchial[tw]", &[1]),
        ("salbutamol[tw]", &[1]),
        ("salbutamol[tiab]", &[]),
        ("gicht[tt]", &[2]),
        ("gicht[ti]", &[]),
        ("heidelberg[ad]", &[0]),
        ("\"university hospital\"[ad]", &[0]),
        ("lung study group[cn]", &[1]),
        ("royalties[cois]", &[2]),
        ("heidelberg[all]", &[0]),
        // Words without a tag are looked up in institutions as well.
        ("Heidelberg AND asthma", &[0]),
        ("heidelberg asthma", &[0]),
        ("Heidelberg AND gout", &[]),
        ("10.1000/gout(1)x[all]", &[2]),
    ]);
}

#[test]
fn words_are_not_stemmed_and_writings_of_one_thing_meet() {
    all(&[
        ("child[tiab]", &[]),
        ("children[tiab]", &[0]),
        ("IL-5[tiab]", &[1]),
        ("IL5[tiab]", &[1]),
        ("\"il 5\"[tiab]", &[1]),
        ("TNF-alpha[tiab]", &[2]),
        ("TNFα[tiab]", &[2]),
        ("antiinflammatory[tiab]", &[2]),
        ("anti-inflammatory[tiab]", &[2]),
        // Untagged words are looked up in each of their forms.
        ("inhaling", &[0]),
        // Wherever those stand: in the full text, in substances.
        ("urates", &[2]),
        ("sulphates", &[1]),
    ]);
}

#[test]
fn phrases_and_nearness() {
    all(&[
        ("\"inhaled steroids\"[tiab]", &[0]),
        ("\"steroids inhaled\"[tiab]", &[]),
        ("\"steroids inhaled\"[tiab:~0]", &[0]),
        ("\"steroids children\"[tiab:~1]", &[]),
        ("\"steroids children\"[tiab:~2]", &[0]),
        ("\"asthma steroids\"[tiab:~50]", &[]),
        ("\"inhaled ster*\"[tiab]", &[0]),
        ("\"hospital heidelberg\"[ad:~0]", &[0]),
    ]);
    let loose = select("steroids inhaled[tiab]", None);
    assert_eq!(keys(&loose), [0]);
    assert!(
        loose.warnings[0].contains("side by side"),
        "{:?}",
        loose.warnings
    );
    let strict = select("\"steroids inhaled\"[tiab]", None);
    let told = strict.warnings.join("\n");
    assert!(
        told.contains("no article matches: \"steroids inhaled\""),
        "{told}"
    );
    assert!(told.contains("without quotation marks"), "{told}");
}

#[test]
fn truncation_goes_by_the_written_word() {
    all(&[
        ("vaccinat*[tiab]", &[3]),
        ("vaccine*[tiab]", &[2]),
        ("vacci*[tiab]", &[2, 3]),
        ("asth*[mh]", &[0]),
        ("Asth*", &[0, 1]),
    ]);
}

#[test]
fn people() {
    all(&[
        ("meyer[au]", &[0, 1]),
        ("meyer k[au]", &[0, 1]),
        ("meyer ks[au]", &[0]),
        ("Meyer, K. S.[au]", &[0]),
        ("\"meyer k\"[au]", &[1]),
        ("meyer karin[au]", &[0]),
        ("karin[au]", &[]),
        ("karin sofie meyer[fau]", &[0]),
        ("meyer[1au]", &[0]),
        ("meyer[lastau]", &[1]),
        ("özgür-smith j[au]", &[1]),
        ("mey*[au]", &[0, 1]),
        ("me*[au]", &[0, 1]),
        ("meyer k*[au]", &[0, 1]),
        ("meyer ks*[au]", &[0]),
        ("noack ilse m p[fau]", &[2]),
        ("ilse m p noack[fau]", &[2]),
        ("noack ilse m*[fau]", &[2]),
        ("\"noack ilse m p\"[au]", &[2]),
        ("noack imp[au]", &[2]),
        ("noack i m p[au]", &[2]),
        ("bauer[ir]", &[2]),
        ("bauer[au]", &[]),
        ("0000-0001-2345-6789[auid]", &[0]),
        ("meyer ks asthma", &[0]),
    ]);
}

#[test]
fn headings_alone_and_with_mesh() {
    all(&[
        ("asthma[mh]", &[0]),
        ("asthma[majr]", &[0]),
        ("humans[mh]", &[0]),
        ("humans[majr]", &[]),
        ("asthma/drug therapy[mh]", &[0]),
        ("asthma/drug therapy[majr]", &[0]),
        ("asthma/mortality[mh]", &[]),
        ("drug therapy[sh]", &[0, 1]),
        ("dt[sh]", &[0, 1]),
        ("therapy[sh]", &[0, 1]),
        ("therapy[sh:noexp]", &[]),
        ("dt[sh:noexp]", &[0, 1]),
        ("asthma/dt[mh]", &[0]),
        ("asthma/dt[majr]", &[0]),
        ("asthma/therapy[mh]", &[0]),
        ("asthma/therapy[mh:noexp]", &[]),
        ("asthma/th[majr]", &[0]),
        ("asthma/th[majr:noexp]", &[]),
        ("status asthmaticus/th[mh]", &[1]),
        ("status asthmaticus/th[majr]", &[]),
        ("D001249[mh]", &[0]),
        ("humans[filter]", &[0]),
    ]);
    let table = crate::mesh::tests::small();
    for (query, expected) in [
        ("asthma[mh]", &[0, 1][..]),
        ("asthma[mh:noexp]", &[0]),
        ("bronchial asthma[mh]", &[0, 1]),
        ("respiratory tract diseases[mh]", &[0, 1]),
        ("respiratory tract diseases[mh:noexp]", &[]),
        ("asthma/drug therapy[mh]", &[0, 1]),
        ("bronchial asthma/th[mh]", &[0, 1]),
        ("asthma/dt[mh:noexp]", &[0]),
        ("respiratory tract diseases/th[majr]", &[0]),
        ("respiratory tract diseases[majr]", &[0]),
        ("bronchial asthma", &[0, 1]),
        ("acetylsalicylic acid", &[]),
    ] {
        assert_eq!(keys(&select(query, Some(&table))), expected, "{query}");
    }
    let unexploded = select("asthma[mh]", None).warnings;
    assert!(unexploded[0].contains("no MeSH table"), "{unexploded:?}");
    let misspelt = select("astma[mh:noexp]", None).warnings;
    assert!(
        misspelt[1].contains("did you mean `asthma`?"),
        "{misspelt:?}"
    );
}

#[test]
fn dates() {
    all(&[
        ("2019[dp]", &[0, 1]),
        ("2021[dp]", &[]),
        ("2019/03[dp]", &[0]),
        ("2019/03/04[dp]", &[0]),
        ("2019/03/05[dp]", &[]),
        ("2018:2020[dp]", &[0, 1]),
        ("\"2019/03/05\"[dp] : \"3000\"[dp]", &[1]),
        // The electronic edition came before the printed one.
        ("2019/12[dp]", &[1]),
        ("2019/12[epdat]", &[1]),
        ("2020[ppdat]", &[1]),
        ("1998/12[dp]", &[2]),
        ("2021/02/01[edat]", &[0]),
        ("2021/01[crdt]", &[0]),
        ("2022[mhda]", &[0]),
        ("2023[lr]", &[0]),
        ("2022/06[dcom]", &[0]),
        // The day of these searches is 2023/06/30.
        ("\"last 4 years\"[dp]", &[1]),
        ("\"last 5 years\"[dp]", &[0, 1]),
        ("last 12 months[lr]", &[0]),
        ("\"last 60 days\"[lr]", &[]),
    ]);
}

#[test]
fn whole_values() {
    all(&[
        ("review[pt]", &[2]),
        ("english[la]", &[0, 1]),
        ("ger[la]", &[2]),
        ("J Biol Chem[ta]", &[0]),
        ("1083-351X[ta]", &[0]),
        ("2985121R[jid]", &[0]),
        ("12[vi] AND 3[ip] AND 101-9[pg]", &[0]),
        ("united states[pl]", &[0]),
        ("NCT00000123[si]", &[1]),
        ("ClinicalTrials.gov[si]", &[1]),
        ("ClinicalTrials.gov/NCT00000123[si]", &[1]),
        ("albuterol[nm]", &[1]),
        ("QF8SVZ843E[rn]", &[1]),
        ("HL012345[gr]", &[1]),
        ("NHLBI NIH HHS[gr]", &[1]),
        ("1[pmid]", &[0]),
        ("1 3[pmid]", &[0, 2]),
        ("10.1000/gout(1)x[doi]", &[2]),
        ("10.1000/gout(1)x[lid]", &[2]),
        ("PMC77[pmc]", &[2]),
        ("NLM[owner]", &[0]),
    ]);
}

#[test]
fn filters_and_subsets() {
    all(&[
        ("hasabstract", &[0, 1, 2]),
        ("medline[sb]", &[0]),
        ("publisher[sb]", &[1]),
        ("jsubsetaim[sb]", &[0]),
        ("free full text[sb]", &[2]),
        ("english[filter]", &[0, 1]),
        ("review[filter]", &[2]),
        ("systematic[sb]", &[]),
    ]);
    let error = snapshot()
        .select(
            &parse("toxic[sb]", Limits::default()).unwrap(),
            setting(None),
        )
        .unwrap_err();
    assert!(error.to_string().contains("left out"), "{error}");
}

#[test]
fn each_term_is_counted_and_the_translation_can_be_searched_again() {
    let selection = select("asthma NOT (gout OR meyer k[au])", None);
    let counts: Vec<(&str, u64)> = selection
        .terms
        .iter()
        .map(|count| (count.term.as_str(), count.articles))
        .collect();
    assert_eq!(
        counts,
        [
            ("asthma[All Fields]", 2),
            ("gout[All Fields]", 1),
            ("meyer k[Author]", 2),
        ]
    );
    assert_eq!(selection.articles(), 0);
    let again = select(&selection.tree.to_string(), None);
    assert_eq!(again.tree, selection.tree);
}

#[test]
fn articles_are_ranked_within_the_selection() {
    let selection = select("asthma[ti] OR gout[ti]", None);
    let scope = |unscored| Scope {
        selection: Some(&selection),
        unscored,
        ..Scope::of(&EVERYTHING)
    };
    let keys = |text: &str, unscored| -> Vec<u32> {
        let matches = snapshot().search_in(text, &scope(unscored), 10).unwrap();
        assert_eq!(matches.total, 3);
        matches.hits.iter().map(|(key, _)| key.0).collect()
    };
    assert_eq!(keys("gout vaccination", false), [2]);
    assert_eq!(keys("gout vaccination", true), [2, 0, 1]);
    assert_eq!(keys("", true), [0, 1, 2]);
    assert_eq!(keys("", false), [] as [u32; 0]);
}

#[test]
fn deleted_articles_are_in_no_selection() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    for (article, key) in sample::articles().iter().zip(0..) {
        writer.add(ArticleKey(key), article, b"").unwrap();
        // A segment each.
        writer.commit("").unwrap();
    }
    writer.delete(&id("1")).unwrap();
    writer.commit("").unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    for (query, expected) in [
        ("asthma[ti]", &[1][..]),
        ("all[sb] NOT asthma[ti]", &[2, 3]),
        ("meyer[au] OR review[pt]", &[1, 2]),
    ] {
        let tree = parse(query, Limits::default()).unwrap();
        let selection = snapshot.select(&tree, setting(None)).unwrap();
        assert_eq!(selection.articles(), expected.len() as u64);
        let scope = Scope {
            selection: Some(&selection),
            ..Scope::of(&EVERYTHING)
        };
        let found: Vec<u32> = snapshot.matching_in(&scope).unwrap().iter().collect();
        assert_eq!(found, expected, "{query}");
    }
}
