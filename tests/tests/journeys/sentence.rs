//! Measuring the embeddings of a model: `eval sts`, `nli` and `triplet`.

use medsift_tests::{Finished, Workspace, tiny_model};

fn eval(work: &Workspace, args: &[&str]) -> Finished {
    let mut command = work.medsift(["eval"]);
    for arg in args {
        command = command.arg(arg);
    }
    command.arg("--model").arg(tiny_model()).run()
}

const STS: &str = "id\tsentence1\tsentence2\tscore\n\
    1\tStatins and muscle pain.\tStatins and muscle pain.\t5\n\
    2\tThe p53 tumour suppressor.\tPatients with muscle pain.\t0.5\n\
    3\tReceptors and genes.\tReceptors, proteins and genes.\t4\n";

#[test]
fn similarity_is_correlated_with_scores() {
    let work = Workspace::new();
    work.write("pairs.tsv", STS);
    let report = eval(&work, &["sts", "pairs.tsv", "pairs.tsv", "--json"])
        .expect(0)
        .json();
    let results = report["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    assert_eq!(results[0]["file"], "pairs.tsv");
    assert_eq!(results[0]["pairs"], 3);
    // A model with random weights too finds equal sentences the most alike.
    for name in ["spearman", "pearson"] {
        let value = results[0][name].as_f64().expect(name);
        assert!((-1.0..=1.0).contains(&value), "{name}: {value}");
    }
    eval(&work, &["sts", "pairs.tsv"]).expect(0).prints(&[
        "Spearman",
        "Pearson",
        "pairs.tsv",
        "bert-mean",
    ]);
}

#[test]
fn triplets_with_the_anchor_as_positive_are_right() {
    let work = Workspace::new();
    work.write(
        "triplets.tsv",
        "anchor\tpositive\tnegative\n\
         Statins.\tStatins.\tThe p53 tumour suppressor binds DNA.\n\
         Muscle pain\tThe p53 tumour suppressor binds DNA.\tMuscle pain\n",
    );
    let report = eval(&work, &["triplet", "triplets.tsv", "--json"])
        .expect(0)
        .json();
    let result = &report["results"][0];
    assert_eq!(result["euclidean_accuracy"], 0.5);
    assert_eq!(result["cosine_accuracy"], 0.5);
    assert_eq!(result["triplets"], 2);
}

#[test]
fn a_model_without_classifier_says_so() {
    let work = Workspace::new();
    work.write("nli.tsv", "premise\thypothesis\tlabel\nA\tB\tneutral\n");
    eval(&work, &["nli", "nli.tsv"])
        .expect(1)
        .says(&["no classifier", "2_Classifier", "softmax"]);
}

#[test]
fn faults_of_a_table_are_named_with_their_line() {
    let work = Workspace::new();
    work.write(
        "bad.tsv",
        "sentence1\tsentence2\tscore\nA\tB\t1\nC\tD\thigh\n",
    );
    eval(&work, &["sts", "bad.tsv"])
        .expect(2)
        .says(&["bad.tsv", "line 3", "high"]);
    work.write("bad.tsv", "sentence1\tsentence2\tscore\nA\tB\n");
    eval(&work, &["sts", "bad.tsv"])
        .expect(2)
        .says(&["line 2", "2 columns", "3"]);
    eval(&work, &["triplet", "bad.tsv"]).expect(2).says(&[
        "line 1",
        "no column anchor",
        "sentence1",
    ]);
    eval(&work, &["sts", "absent.tsv"])
        .expect(1)
        .says(&["absent.tsv"]);
    work.write(
        "same.tsv",
        "sentence1\tsentence2\tscore\nA\tB\t1\nC\tD\t1\n",
    );
    eval(&work, &["sts", "same.tsv"])
        .expect(2)
        .says(&["cannot be correlated"]);
    work.write("nli.tsv", "premise\thypothesis\tlabel\nA\tB\tmaybe\n");
    eval(&work, &["nli", "nli.tsv"])
        .expect(2)
        .says(&["line 2", "maybe", "entailment"]);
}
