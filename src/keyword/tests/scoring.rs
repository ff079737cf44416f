use super::super::analysis::Analyzer;
use super::super::plan::Ranking;
use super::*;
use proptest::prelude::*;
use tantivy::fieldnorm::FieldNormReader;

/// BM25 as the papers write it, over whole texts and one term per word.
fn plain_bm25(texts: &[String], titles: &[String], query: &[&str]) -> Vec<f32> {
    let ranking = Ranking::default();
    let tokens = |text: &String| -> Vec<String> {
        let tokens = Analyzer::new().analyze(text).tokens();
        tokens.into_iter().map(|token| token.term).collect()
    };
    let joined: Vec<Vec<String>> = titles
        .iter()
        .zip(texts)
        .map(|(title, text)| [tokens(title), tokens(text)].concat())
        .collect();
    let titles: Vec<Vec<String>> = titles.iter().map(tokens).collect();
    let share = |documents: &[Vec<String>], at: usize, term: &str| {
        let all: usize = documents.iter().map(Vec::len).sum();
        let average = (all as f32 / documents.len() as f32).max(1.0);
        // Lengths are kept in one byte.
        let length = FieldNormReader::fieldnorm_to_id(documents[at].len() as u32);
        let length = FieldNormReader::id_to_fieldnorm(length) as f32;
        let frequency = documents[at].iter().filter(|word| *word == term).count() as f32;
        let norm = ranking.k1 * (1.0 - ranking.b + ranking.b * length / average);
        frequency * (ranking.k1 + 1.0) / (frequency + norm)
    };
    let score = |at: usize| {
        let of_term = |term: &&str| {
            let with = joined
                .iter()
                .filter(|words| words.iter().any(|word| word == term));
            let with = with.count() as f32;
            let all = joined.len() as f32;
            let idf = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            idf * (share(&joined, at, term) + ranking.title * share(&titles, at, term))
        };
        query.iter().map(of_term).sum()
    };
    (0..joined.len()).map(score).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn scores_equal_the_plain_formula(
        documents in prop::collection::vec(("(pain |gut ){0,2}", "(pain |gut |liver |bone ){0,60}"), 1..30),
        splits in prop::collection::vec(any::<bool>(), 30),
    ) {
        let query = ["pain", "liver"];
        let dir = TempDir::new().unwrap();
        let mut writer = writer(dir.path());
        for (i, (title, text)) in documents.iter().enumerate() {
            let added = article(&i.to_string(), title, text);
            writer.add(ArticleKey(i as u32), &added, b"").unwrap();
            if splits[i] {
                writer.commit("").unwrap();
            }
        }
        writer.commit("").unwrap();
        let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
        let matches = snapshot.search(&query.join(" "), &Filter::default(), 100).unwrap();
        let (titles, texts): (Vec<String>, Vec<String>) = documents.iter().cloned().unzip();
        let expected = plain_bm25(&texts, &titles, &query);
        let found = expected.iter().filter(|score| **score > 0.0).count();
        prop_assert_eq!(matches.hits.len(), found);
        for (key, score) in matches.hits {
            let plain = expected[key.0 as usize];
            prop_assert!((score - plain).abs() < 1e-4, "{} {score} {plain}", key.0);
        }
    }
}

#[test]
fn windows_lose_and_repeat_nothing() {
    let articles: Vec<Article> = (0..5000_u32)
        .map(|i| {
            let even = if i % 2 == 0 { "even" } else { "odd" };
            let rare = if i % 2047 == 0 { "IL-2" } else { "IL 2" };
            article(&i.to_string(), &format!("{even} {rare}"), "")
        })
        .collect();
    let (_dir, snapshot) = index_of(&articles);
    let total = |query| snapshot.search(query, &Filter::default(), 5).unwrap().total;
    assert_eq!(total("even"), 2500);
    assert_eq!(total("odd even"), 5000);
    assert_eq!(total("il"), 5000);
    let matches = snapshot.search("IL-2", &Filter::default(), 5).unwrap();
    assert_eq!(matches.total, 5000);
    let keys: Vec<u32> = matches.hits[..3].iter().map(|(key, _)| key.0).collect();
    assert_eq!(keys, [0, 2047, 4094]);
}
