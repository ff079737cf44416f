use super::super::plan::Ranking;
use super::*;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};

struct Set {
    _dir: TempDir,
    snapshot: KeywordSnapshot,
    ids: Vec<String>,
    queries: Vec<(String, HashMap<String, f64>)>,
}

fn lines(path: &str) -> impl Iterator<Item = String> {
    BufReader::new(std::fs::File::open(path).unwrap()).lines().map(|l| l.unwrap())
}

fn load(name: &str, split: &str, part: usize) -> Set {
    let base = format!("../shared/data/retrieval/{name}");
    let mut ids = Vec::new();
    let mut articles = Vec::new();
    for line in lines(&format!("/tmp/kwdata/{name}.jsonl")) {
        let v: serde_json::Value = serde_json::from_str(&line).unwrap();
        let text = |f: &str| v[f].as_str().unwrap_or_default().to_owned();
        articles.push(article(&text("_id"), &text("title"), &text("text")));
        ids.push(text("_id"));
    }
    let dir = TempDir::new().unwrap();
    let mut writer = KeywordWriter::open(dir.path(), 60_000_000, 1).unwrap();
    for (a, k) in articles.iter().zip(0..) {
        writer.add(ArticleKey(k), a, b"").unwrap();
    }
    writer.commit("").unwrap();
    writer.close().unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    let mut qrels: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for line in lines(&format!("{base}/qrels/{split}.tsv")).skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        qrels.entry(f[0].into()).or_default().insert(f[1].into(), f[2].parse().unwrap());
    }
    let mut queries = Vec::new();
    for line in lines(&format!("{base}/queries.jsonl")) {
        let v: serde_json::Value = serde_json::from_str(&line).unwrap();
        if let Some(q) = qrels.get(v["_id"].as_str().unwrap()) {
            queries.push((v["text"].as_str().unwrap().to_owned(), q.clone()));
        }
    }
    let queries = queries.into_iter().step_by(part).collect();
    Set { _dir: dir, snapshot, ids, queries }
}

fn ndcg(set: &Set, ranking: Ranking) -> (f64, f64) {
    let snapshot = set.snapshot.with_ranking(ranking);
    let (mut sum, mut rec) = (0.0, 0.0);
    for (q, grades) in &set.queries {
        let hits = snapshot.search(q, &Filter::default(), 100).unwrap().hits;
        let g = |rank: usize, grade: f64| grade / (rank as f64 + 2.0).log2();
        let dcg: f64 = hits.iter().take(10).enumerate()
            .map(|(r, (k, _))| g(r, grades.get(&set.ids[k.0 as usize]).copied().unwrap_or(0.0))).sum();
        let mut ideal: Vec<f64> = grades.values().copied().collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let idcg: f64 = ideal.iter().take(10).enumerate().map(|(r, x)| g(r, *x)).sum();
        if idcg > 0.0 { sum += dcg / idcg; }
        let r = hits.iter().filter(|(k, _)| grades.get(&set.ids[k.0 as usize]).is_some_and(|x| *x > 0.0)).count();
        rec += r as f64 / ideal.iter().filter(|x| **x > 0.0).count().max(1) as f64;
    }
    (sum / set.queries.len() as f64, rec / set.queries.len() as f64)
}

#[test]
#[ignore]
fn tune() {
    let sets = [load("nfcorpus", "dev", 1), load("nfcorpus", "train", 4), load("scifact", "train", 1)];
    let base = Ranking::default();
    let show = |label: String, r: Ranking| {
        let v: Vec<String> = sets.iter().map(|s| { let (n, c) = ndcg(s, r); format!("{n:.4}/{c:.3}") }).collect();
        println!("{label}: {}", v.join("  "));
    };
    show("base".into(), base);
    for title in [0.0, 0.1, 0.2, 0.3, 0.5, 0.8] {
        show(format!("title {title}"), Ranking { title, ..base });
    }
    for parts in [0.3, 0.5, 0.7, 0.85, 1.0] {
        show(format!("parts {parts}"), Ranking { parts, ..base });
    }
    for k1 in [0.6, 0.9, 1.2, 1.5, 2.0, 2.5] {
        for b in [0.3, 0.4, 0.6, 0.75, 0.9] {
            show(format!("k1 {k1} b {b}"), Ranking { k1, b, ..base });
        }
    }
}
