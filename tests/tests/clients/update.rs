//! `deploy/update-pubmed` against a folder of update files on a server of Python's.

use flate2::Compression;
use flate2::write::GzEncoder;
use medsift_tests::{Finished, Workspace, binary, sample};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Serves a folder; ended when it is dropped.
struct Served {
    server: Child,
    address: String,
}

impl Served {
    fn new(folder: &Path) -> Self {
        let python = std::env::var_os("MEDSIFT_TEST_PYTHON").expect("MEDSIFT_TEST_PYTHON");
        let mut server = Command::new(python)
            .args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python starts");
        let mut line = String::new();
        let stdout = server.stdout.take().expect("output is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        // Serving HTTP on 127.0.0.1 port 43210 (http://127.0.0.1:43210/) ...
        let address = line.split(['(', ')']).nth(1).expect("an address");
        Self {
            address: address.to_owned(),
            server,
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Writes an update file, with the checksum of what it should hold.
fn publish(folder: &Path, name: &str, content: &[u8], whole: bool) {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(content).expect("gzip");
    let mut bytes = gzip.finish().expect("gzip");
    let path = folder.join(name);
    fs::write(&path, &bytes).expect("a file can be written");
    let output = Command::new("md5sum").arg(&path).output().expect("md5sum");
    let text = String::from_utf8(output.stdout).expect("text");
    let sum = text.split_whitespace().next().expect("a sum");
    fs::write(
        folder.join(format!("{name}.md5")),
        format!("MD5({name})= {sum}\n"),
    )
    .expect("a file can be written");
    if !whole {
        bytes.truncate(bytes.len() / 2);
        fs::write(&path, &bytes).expect("a file can be written");
    }
}

fn update(work: &Workspace, address: &str) -> Finished {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/update-pubmed");
    Command::new(script)
        .args(["updates", "idx", address])
        .current_dir(work.path())
        .env("HOME", work.join("home"))
        .env("MEDSIFT", binary())
        .output()
        .expect("sh starts")
        .into()
}

#[test]
fn new_files_are_fetched_checked_and_taken_up() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let published = work.join("published");
    fs::create_dir(&published).expect("a folder");
    let deletion = b"<PubmedArticleSet><DeleteCitation><PMID Version=\"1\">990000001</PMID>\
                     </DeleteCitation></PubmedArticleSet>";
    let other = b"<PubmedArticleSet><DeleteCitation><PMID Version=\"1\">990000002</PMID>\
                  </DeleteCitation></PubmedArticleSet>";
    publish(&published, "pubmed26n1501.xml.gz", deletion, true);
    publish(&published, "pubmed26n1502.xml.gz", other, false);
    // As at NLM: programs are asked not to follow links.
    fs::write(published.join("robots.txt"), "User-agent: *\nDisallow: /\n").expect("a file");
    let served = Served::new(&published);

    let finished = update(&work, &served.address).expect(1);
    let _ = finished.says(&["pubmed26n1502.xml.gz does not agree with its checksum"]);
    let gone = work.run("show 990000001 --index idx").expect(1);
    assert!(gone.stderr.contains("990000001"), "{gone:#?}");
    let _ = work.run("show 990000002 --index idx").expect(0);

    // The publisher's file is whole again: it is fetched anew, the other is not.
    publish(&published, "pubmed26n1502.xml.gz", other, true);
    let _ = update(&work, &served.address).expect(0);
    let _ = work.run("show 990000002 --index idx").expect(1);
    let again = update(&work, &served.address).expect(0);
    assert!(!again.stderr.contains("does not agree"), "{again:#?}");

    // Without a checksum nothing is taken up, and a folder without files is no folder.
    fs::remove_file(published.join("pubmed26n1502.xml.gz.md5")).expect("it is there");
    fs::remove_file(work.join("updates/pubmed26n1502.xml.gz.md5")).expect("it is there");
    let _ = update(&work, &served.address).expect(1);
    assert!(!work.join("updates/pubmed26n1502.xml.gz").exists());
    for entry in fs::read_dir(&published).expect("a folder").flatten() {
        fs::remove_file(entry.path()).expect("a file");
    }
    let _ = update(&work, &served.address)
        .expect(1)
        .says(&["no update file at"]);
}
