//! The commands of README and `docs`, typed as a reader would type them, in a shell.

use medsift_tests::{Finished, Running, Workspace, binary, sample};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is the reader's own in the documents, and what stands for it here.
const OWN: [(&str, &str); 8] = [
    ("http://127.0.0.1:8080", "http://ADDRESS"),
    ("'localhost:8080", "'http://ADDRESS"),
    ("11943073", "990000001"),
    ("articles/12345", "articles/990000001"),
    ("--index DIR", "--index ./idx"),
    ("eval retrieval DIR", "eval retrieval ./nfcorpus"),
    ("--model DIR", "--model medsift-mini"),
    ("index FILES", "index ./baseline"),
];

/// Commands that are not run to their end, by a part of them, and why. Their
/// names and flags are checked all the same.
const NOT_RUN: [(&str, &str); 13] = [
    (
        "medsift serve",
        "does not end by itself; every request is sent to one",
    ),
    ("medsift mcp", "waits for an assistant; the suite has one"),
    ("medsift train run", "takes hours"),
    (
        "--data DATA",
        "needs what is learnt from; journeys train on a few lines",
    ),
    (
        "DATA/",
        "needs sets that are measured on; the real-data suite has them",
    ),
    ("runs/", "needs what hours of training leave"),
    ("DEV.json", "needs a head that was trained for an hour"),
    ("pubmedqa/", "needs the questions of PubMedQA and BioASQ"),
    ("held-out.xml.gz", "needs a head for masked tokens"),
    ("eval nli", "needs a classifier that training left"),
    (
        "eval linking test.pubtator.gz",
        "needs the mentions of BC5CDR",
    ),
    (
        "medsift mesh",
        "needs NLM's file of the year; journeys import parts of one",
    ),
    ("cursor=…", "the cursor is the answer's before"),
];

/// A line, and the document that it stands in.
struct Typed {
    document: String,
    line: String,
}

#[test]
fn every_command_of_the_documents_works() {
    let reader = Reader::new();
    let mut faults = Vec::new();
    let mut ran = 0;
    let commands = commands();
    for command in &commands {
        let whole = NOT_RUN.iter().all(|(part, _)| !command.line.contains(part));
        let finished = reader.types(&command.line, whole);
        ran += usize::from(whole);
        if finished.code != Some(0) {
            let Typed { document, line } = command;
            faults.push(format!(
                "{document}: {line}\n{}{}",
                finished.stdout, finished.stderr
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    // The documents are read: without commands this would pass.
    assert!(
        ran > 50 && commands.len() > 100,
        "{ran} of {}",
        commands.len()
    );
}

#[test]
fn whatever_is_not_run_stands_in_a_document() {
    let commands = commands();
    for (part, why) in NOT_RUN {
        let named = commands.iter().any(|command| command.line.contains(part));
        assert!(named, "{part} ({why}) stands nowhere");
    }
}

/// Commands of medsift, and requests to it, in blocks of code.
fn commands() -> Vec<Typed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("docs"))
        .expect("a folder of documents")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|name| name == "md"))
        .collect();
    files.sort();
    files.insert(0, root.join("README.md"));
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a document");
        let document = file.file_name().expect("a name").display().to_string();
        for block in text.split("```").skip(1).step_by(2) {
            let block = block.replace("\\\n", " ");
            let lines = block.lines().filter(|line| is_command(line));
            found.extend(lines.map(|line| Typed {
                document: document.clone(),
                line: line.to_owned(),
            }));
        }
    }
    found
}

fn is_command(line: &str) -> bool {
    // `NAME=value medsift …` sets a variable for one command.
    let mut words = line.split(' ').skip_while(|word| {
        word.split_once('=').is_some_and(|(name, _)| {
            name.bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        })
    });
    matches!(words.next(), Some("medsift" | "curl"))
}

/// Somebody who follows the documents: a folder with files of the names that
/// stand in them, an index, and a server.
struct Reader {
    work: Workspace,
    address: String,
    _server: Running,
}

impl Reader {
    fn new() -> Self {
        let work = Workspace::new();
        let records = fs::read(sample("medsift-sample.xml")).expect("the sample");
        // Files are known by what is in them, not by their names.
        work.write("pubmed25n0001.xml.gz", &records);
        fs::create_dir_all(work.join("baseline")).expect("a folder");
        work.write("baseline/pubmed25n0001.xml.gz", &records);
        work.write(
            "sentences.txt",
            "Statins may cause myopathy.\nA second one.\n",
        );
        work.write("abstract.txt", "Metformin may cause lactic acidosis.\n");
        work.write(
            "title-and-abstract.txt",
            "Statins and muscle pain. Some have it.\n",
        );
        work.write("asthma.txt", STRATEGY);
        work.write("q.tsv", "1\tasthma in children\n");
        work.write("q.qrels", "1 0 990000001 1\n");
        fs::create_dir_all(work.join("nfcorpus/qrels")).expect("a folder");
        work.write("nfcorpus/corpus.jsonl", CORPUS);
        work.write("nfcorpus/queries.jsonl", QUERIES);
        for split in ["dev", "test"] {
            work.write(&format!("nfcorpus/qrels/{split}.tsv"), QRELS);
        }
        fs::create_dir_all(work.join("stsb")).expect("a folder");
        work.write("stsb/test.tsv", PAIRS);
        work.write("biosses.tsv", PAIRS);
        work.write("triplets.test.tsv.gz", TRIPLETS);
        let _ = work.run("index pubmed25n0001.xml.gz").expect(0);
        let mut server = work.medsift(["serve", "--port", "0"]).start();
        let address = server.address();
        let reader = Self {
            work,
            address,
            _server: server,
        };
        reader.puts_on_path();
        reader
    }

    /// `whole/medsift` and `whole/curl` run what is typed, the ones in `names`
    /// only look whether it can be understood.
    fn puts_on_path(&self) {
        let medsift = binary().display();
        let script = |name: &str, what: String| {
            let path = self.work.write(name, format!("#!/bin/sh\n{what}\n"));
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script");
        };
        for folder in ["whole", "names"] {
            fs::create_dir_all(self.work.join(folder)).expect("a folder");
        }
        script("whole/medsift", format!("exec '{medsift}' \"$@\""));
        script("names/medsift", format!("exec '{medsift}' \"$@\" --help"));
        script("names/curl", "exit 0".to_owned());
        let path = env::var("PATH").expect("a path");
        script(
            "whole/curl",
            format!("PATH='{path}' exec curl --fail-with-body --silent --show-error \"$@\""),
        );
    }

    fn types(&self, line: &str, whole: bool) -> Finished {
        let mut line = line.to_owned();
        for (theirs, ours) in OWN {
            line = line.replace(theirs, ours);
        }
        let line = line.replace("ADDRESS", &self.address);
        let folder = self.work.join(if whole { "whole" } else { "names" });
        let path = format!("{}:{}", folder.display(), env::var("PATH").expect("a path"));
        Command::new("sh")
            .current_dir(self.work.path())
            .env("PATH", path)
            .env("HOME", self.work.join("home"))
            .args(["-c", &line])
            .output()
            .expect("a shell")
            .into()
    }
}

const STRATEGY: &str = "1. asthma[mh]\n2. statin*[tiab]\n3. metformin\n4. #1 OR #2\n";

const CORPUS: &str = r#"{"_id": "990000001", "title": "Statins and muscle pain", "text": "Some have it."}
{"_id": "990000002", "title": "Asthma in children", "text": "Many have it."}
"#;

const QUERIES: &str = r#"{"_id": "1", "text": "statins and muscle pain"}
{"_id": "2", "text": "asthma in children"}
"#;

const QRELS: &str = "query-id\tcorpus-id\tscore\n1\t990000001\t1\n2\t990000002\t1\n";

const PAIRS: &str = "sentence1\tsentence2\tscore\n\
    Statins hurt.\tStatins cause pain.\t4.5\n\
    Statins hurt.\tAsthma is common.\t0.5\n\
    Asthma is common.\tMany have asthma.\t4.0\n";

const TRIPLETS: &str =
    "anchor\tpositive\tnegative\nStatins hurt.\tStatins cause pain.\tAsthma is common.\n";
