//! Concepts: a table is imported, its names are embedded, mentions are linked.

use medsift_tests::{Finished, Workspace, tiny_model};

const TABLE: &str = "*NEWRECORD\nRECTYPE = D\nMH = Anemia, Aplastic\n\
    ENTRY = Anemia, Hypoplastic|T047\nMN = C15.378.071.085\nUI = D000741\n\n\
    *NEWRECORD\nRECTYPE = D\nMH = Sirolimus\nENTRY = Rapamycin|T195\n\
    MN = D02.540.505.760\nUI = D020123\n";

/// Of the mentions the first three have a name; the fourth has none, the fifth
/// an identifier of another vocabulary, the sixth none at all.
const GOLD: &str = "1|t|Aplastic anaemia and rapamycin\n\
    1|a|Sirolimus (Srl) in qwertyuiop and aplastic anaemias; zzz.\n\
    1\t0\t16\tAplastic anaemia\tDisease\tD000741\n\
    1\t21\t30\trapamycin\tChemical\tMESH:D020123\n\
    1\t42\t45\tSrl\tChemical\tD020123\n\
    1\t50\t60\tqwertyuiop\tDisease\tD000741\n\
    1\t65\t82\taplastic anaemias\tDisease\tOMIM:1\n\
    1\t84\t87\tzzz\tDisease\t-1\n\n";

fn prepared() -> Workspace {
    let work = Workspace::new();
    let file = work.write("d2024.bin", TABLE);
    work.write("gold.pubtator", GOLD);
    work.medsift(["mesh", "import"]).arg(file).run().expect(0);
    work
}

/// The same mentions as BioC, in both its forms, are measured alike.
#[test]
fn mentions_in_bioc_are_read_too() {
    let work = prepared();
    let lines = eval(&work, &["--rules", "--json"]).expect(0).json();
    let mut annotations = (String::new(), Vec::new());
    for (number, line) in GOLD
        .lines()
        .skip(2)
        .filter(|line| !line.is_empty())
        .enumerate()
    {
        let columns: Vec<&str> = line.split('\t').collect();
        let place = |column: usize| columns[column].parse::<usize>().expect("a number");
        let (start, length) = (place(1), place(2) - place(1));
        let (text, kind, id) = (columns[3], columns[4], columns[5]);
        annotations.0 += &format!(
            "<annotation id='{number}'><infon key='type'>{kind}</infon><infon key='MESH'>{id}\
             </infon><location offset='{start}' length='{length}'/><text>{text}</text></annotation>"
        );
        annotations.1.push(serde_json::json!({
            "id": number.to_string(), "infons": {"type": kind, "identifier": id},
            "text": text, "locations": [{"offset": start, "length": length}],
        }));
    }
    let texts: Vec<&str> = GOLD.lines().take(2).map(|line| &line[4..]).collect();
    let text = texts.join(" ");
    work.write(
        "gold.xml",
        format!(
            "<collection><document><id>1</id><passage><offset>0</offset><text>{text}</text>{}\
             </passage></document></collection>",
            annotations.0
        ),
    );
    let passage = serde_json::json!(
        {"offset": 0, "text": text, "annotations": annotations.1}
    );
    let json = serde_json::json!({"documents": [{"id": "1", "passages": [passage]}]});
    work.write("gold.json", json.to_string());
    for file in ["gold.xml", "gold.json"] {
        let found = work.run(&format!("eval linking {file} --rules --json"));
        let found = found.expect(0).json();
        assert_eq!(found["results"][0]["right"], 3, "{found:#}");
        let without = |report: &serde_json::Value| {
            let mut scores = report["results"][0].clone();
            scores["file"].take();
            scores
        };
        assert_eq!(without(&found), without(&lines));
    }
}

fn eval(work: &Workspace, more: &[&str]) -> Finished {
    work.medsift(["eval", "linking", "gold.pubtator"])
        .args(more)
        .run()
}

#[test]
fn mentions_are_linked_by_name_and_measured() {
    let work = prepared();
    let report = eval(&work, &["--rules", "--json"]).expect(0).json();
    let scores = &report["results"][0];
    assert_eq!(report["table"], "d2024.bin");
    for (name, count) in [
        ("documents", 1),
        ("mentions", 5),
        ("right", 3),
        ("known", 4),
        ("foreign", 1),
        ("foreign_linked", 1),
        ("without_id", 1),
        ("without_id_linked", 0),
    ] {
        assert_eq!(scores[name], count, "{name}: {report:#}");
    }
    assert_eq!(scores["methods"]["abbreviation"]["right"], 1);
    assert!(report.get("model").is_none());
    eval(&work, &["--rules"]).expect(0).prints(&[
        "accuracy@1",
        "0.6000  3 of 5",
        "0.7500  3 of 4",
        "Abbreviation",
    ]);
    work.write("none.pubtator", "words\n");
    work.run("eval linking none.pubtator --rules")
        .expect(2)
        .says(&["none.pubtator, line 1"]);
    eval(&work, &["--threshold", "3"])
        .expect(2)
        .says(&["cosine"]);
}

#[test]
fn names_are_embedded_once_and_missed_where_they_were_not() {
    let work = prepared();
    let model = tiny_model();
    let model = model.to_str().expect("a path in Unicode");
    let with_model = |more: &[&str]| eval(&work, &[&["--model", model], more].concat());
    let without = with_model(&["--json"])
        .expect(0)
        .says(&["medsift mesh embed"])
        .json();
    assert!(without.get("model").is_none());
    work.medsift(["mesh", "embed", "--model", model])
        .run()
        .expect(0)
        .says(&["names of d2024.bin"]);
    // Whatever is nearest counts: each mention of the two kinds gets a link.
    let all = with_model(&["--json", "--threshold", "-1"])
        .expect(0)
        .json();
    let scores = &all["results"][0];
    assert!(all["model"].is_string());
    assert_eq!(
        (&scores["right"], &scores["unlinked"]),
        (&4.into(), &0.0.into()),
        "{all:#}"
    );
    assert_eq!(scores["methods"]["nearest"]["right"], 1);
    // Nothing is as near as that.
    let none = with_model(&["--json", "--threshold", "1"]).expect(0).json();
    assert_eq!(none["results"][0]["right"], 3);
    // Another table has other names.
    let file = work.write("other.bin", TABLE.replace("Rapamycin", "Rapamune"));
    work.medsift(["mesh", "import"]).arg(file).run().expect(0);
    with_model(&[]).expect(0).says(&["medsift mesh embed"]);
}
