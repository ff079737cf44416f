//! Damage, full disks and read-only folders.

use medsift_tests::{Workspace, binary, sample, tiny_model};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Files of a folder that are larger than a directory entry, with their paths.
fn files(dir: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

#[test]
fn verify_finds_a_changed_byte_in_every_vector_file() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work.run("verify").expect(0);
    let mut all = Vec::new();
    files(&work.join("idx/vectors"), &mut all);
    assert!(!all.is_empty());
    for path in all {
        let good = fs::read(&path).expect("a file");
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        fs::write(&path, &bad).expect("a file can be written");
        let finished = work.run("verify").expect(1);
        let name = path.file_name().expect("a name").to_string_lossy();
        let told = format!("{}{}", finished.stdout, finished.stderr);
        assert!(told.contains(name.as_ref()), "{finished:#?}");
        fs::write(&path, &good).expect("a file can be written");
    }
    work.run("verify").expect(0);
}

#[test]
fn a_missing_or_shortened_file_is_refused_in_words() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut all = Vec::new();
    files(&work.join("idx/vectors"), &mut all);
    let path = all.first().expect("a file");
    let good = fs::read(path).expect("a file");
    let name = path
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    fs::write(path, &good[..good.len() / 2]).expect("a file can be written");
    work.run("search statins").expect(1).says(&[&name]);
    fs::remove_file(path).expect("a file can be removed");
    work.run("search statins").expect(1).says(&[&name]);
    work.run("verify").expect(1);
}

#[test]
fn a_read_only_folder_is_named() {
    let work = Workspace::new();
    let folder = work.join("sealed");
    fs::create_dir(&folder).expect("a folder");
    let mut rights = fs::metadata(&folder).expect("its rights").permissions();
    rights.set_readonly(true);
    fs::set_permissions(&folder, rights).expect("rights can be set");
    // The superuser writes wherever the file system lets it; /sys does not.
    let target = if fs::write(folder.join("probe"), "").is_ok() {
        "/sys/medsift-idx".to_owned()
    } else {
        folder.join("idx").display().to_string()
    };
    work.medsift(["index", "--index", &target, "--model"])
        .arg(tiny_model())
        .arg(sample("medsift-sample-2014.xml"))
        .run()
        .expect(1)
        .says(&[&target, "permission"]);
}

#[test]
fn no_space_left_says_so_and_leaves_the_last_commit() {
    let work = Workspace::new();
    let disk = work.join("disk");
    fs::create_dir(&disk).expect("a folder");
    // A file system of two megabytes, seen by this command alone.
    let script = format!(
        "mount -t tmpfs -o size=2m none '{disk}' && cd '{disk}' || exit 99
         '{medsift}' index '{small}' --model '{model}' || exit 98
         '{medsift}' index '{large}' --model '{model}'; code=$?
         '{medsift}' stats --json; '{medsift}' verify; echo \"verify $? index $code\"",
        disk = disk.display(),
        medsift = binary().display(),
        small = sample("medsift-sample-2014.xml").display(),
        large = work.write("large.jsonl", large()).display(),
        model = tiny_model().display(),
    );
    let outcome = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .current_dir(work.path())
        .output();
    let Ok(Output {
        status,
        stdout,
        stderr,
    }) = outcome
    else {
        return skipped("no_space_left", "there is no unshare(1)");
    };
    if matches!(status.code(), Some(99 | 1)) {
        return skipped("no_space_left", "no private mounts here");
    }
    let (out, err) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    assert!(out.contains("verify 0 index 1"), "{out}\n{err}");
    assert!(err.contains("free some space"), "{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
}

/// More than two megabytes of text that does not compress well.
fn large() -> String {
    let mut state = 1u64;
    let mut lines = String::new();
    for number in 0..2_000 {
        let mut text = String::new();
        for _ in 0..150 {
            // Xorshift (Marsaglia 2003).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(&format!("{:x} ", state & 0xff_ffff));
        }
        lines.push_str(&format!(
            "{{\"_id\":\"d{number}\",\"title\":\"Record {number}\",\"text\":\"{text}\"}}\n"
        ));
    }
    lines
}

#[expect(clippy::print_stdout, reason = "reports a test that cannot run here")]
fn skipped(test: &str, reason: &str) {
    println!("ignored {test}: {reason}");
}
