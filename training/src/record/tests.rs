use super::*;
use crate::config::TrainConfig;
use medsift::ErrorKind;
use std::collections::BTreeMap;
use std::path::Path;

fn at(step: u64, stage: &str, values: &[(&str, f64)]) -> Measurement {
    Measurement {
        step,
        stage: stage.into(),
        epoch: step as f64 / 10.0,
        values: values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// Two stages with falling losses, and a score now and then.
fn sample() -> Vec<Measurement> {
    let mut all = vec![at(0, "mlm", &[("score/stsb", 0.61)])];
    for step in 1..=20u64 {
        let (stage, from) = if step <= 12 {
            ("mlm", 6.0)
        } else {
            ("nli <3>", 1.1)
        };
        let loss = from / (1.0 + step as f64 / 6.0);
        let mut values = vec![("loss", loss), ("learning_rate", 2e-5 * step as f64 / 20.0)];
        if step <= 12 {
            values.push(("loss/nsp", 0.7 - step as f64 / 100.0));
        }
        if step.is_multiple_of(5) {
            values.push(("score/stsb", 0.61 + step as f64 / 200.0));
        }
        all.push(at(step, stage, &values));
    }
    all
}

#[test]
fn the_plot_is_the_one_that_was_looked_at() {
    let options = PlotOptions {
        title: "a & b".into(),
        log_loss: true,
    };
    let mut measurements = sample();
    measurements.push(at(20, "nli <3>", &[("loss", f64::NAN)]));
    let drawn = plot(&measurements, &options);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/record/golden.svg");
    if std::env::var_os("MEDSIFT_TEST_REWRITE").is_some() {
        std::fs::write(&golden, &drawn).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    assert!(
        drawn == expected,
        "look at the plot, then MEDSIFT_TEST_REWRITE=1 rewrites it"
    );
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    assert!(drawn.contains("a &amp; b") && drawn.contains("nli &lt;3&gt;"));
    assert!(drawn.contains("Loss: loss is 5.143 at step 1 and 0.2538 at step 20"));
}

#[test]
fn plots_of_little_and_of_much() {
    let options = PlotOptions {
        title: "run".into(),
        log_loss: false,
    };
    assert!(plot(&[], &options).contains("No measurements yet."));
    let one = plot(&[at(1, "a", &[("loss", 2.0)])], &options);
    assert!(!one.contains("NaN"), "{one}");
    let many: Vec<_> = (0..50_000u32)
        .map(|step| {
            at(
                u64::from(step),
                "a",
                &[("loss", f64::from(step).sin().abs())],
            )
        })
        .collect();
    let drawn = plot(&many, &options);
    assert!(drawn.len() < 20_000, "{}", drawn.len());
}

#[test]
fn a_resumed_file_goes_on_behind_the_step() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let all = sample();
    let mut writer = MetricsWriter::create(&path).unwrap();
    all.iter().for_each(|one| writer.write(one).unwrap());
    let error = writer.write(&all[3]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    drop(writer);
    let whole = std::fs::read(&path).unwrap();
    let steps = || {
        let read = read_metrics(&path).unwrap();
        read.iter().map(|one| one.step).collect::<Vec<_>>()
    };
    assert_eq!(steps(), (0..=20).collect::<Vec<_>>());
    // A kill in the middle of a line.
    let mut cut = whole.clone();
    cut.extend_from_slice(br#"{"step":21,"stage":"nl"#);
    std::fs::write(&path, &cut).unwrap();
    assert_eq!(steps().len(), 21);
    let mut writer = MetricsWriter::resume(&path, 15).unwrap();
    assert_eq!(steps(), (0..=15).collect::<Vec<_>>());
    all[16..].iter().for_each(|one| writer.write(one).unwrap());
    let again = std::fs::read(&path).unwrap();
    assert_eq!(again, whole, "as if nothing had been");
}

#[test]
fn what_is_not_a_number_is_written_and_damage_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let mut writer = MetricsWriter::resume(&path, 0).unwrap();
    writer.write(&at(1, "a", &[("loss", f64::NAN)])).unwrap();
    writer.write(&at(2, "a", &[("loss", 1.0)])).unwrap();
    let read = read_metrics(&path).unwrap();
    assert!(read[0].values["loss"].is_nan());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("step", "stop", 1)).unwrap();
    let error = read_metrics(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains("metrics.jsonl"), "{error}");
    assert!(error.to_string().contains("line 1"), "{error}");
}

/// A record of a finished run with two scores.
pub(crate) fn record() -> RunRecord {
    let text = "output = \"runs/x\"\n[base]\nmodel = \"minilm\"\n[[stage]]\nname = \"nli\"\n\
                kind = \"sentence\"\nobjective = { kind = \"softmax\" }\n\
                [[stage.data]]\nformat = \"nli\"\n";
    let config = TrainConfig::parse(text, Path::new("x.toml")).unwrap();
    let base = BaseRecord {
        name: "minilm".into(),
        sha256: Some("53aa".into()),
    };
    let environment = Environment::detect(2, "cpu");
    let command = "medsift train run config/train/x.toml".to_owned();
    let mut record = RunRecord::begin(command, config, base, environment);
    record.data.push(DataRecord {
        stage: "nli".into(),
        path: "nli/snli.tsv".into(),
        sha256: "ab".into(),
        bytes: 10,
        examples: 3,
        skipped: 1,
        terms: Some("CC BY-SA 4.0".into()),
    });
    for (stage, step, name, value) in [
        ("start", 0, "score/stsb", 0.8203),
        ("nli", 20, "score/stsb", 0.83),
        ("nli", 20, "score/sick", 0.7),
    ] {
        record.scores.push(Score {
            stage: stage.into(),
            step,
            name: name.into(),
            value,
        });
    }
    record.seconds = 90.0;
    record.finished = Some(now());
    record.status = Status::Finished;
    record
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::new(dir.path().join("run"));
    folder.create().unwrap();
    std::fs::create_dir_all(folder.model().join("1_Pooling")).unwrap();
    std::fs::write(folder.model().join("1_Pooling/config.json"), "{}").unwrap();
    std::fs::write(folder.model().join("README.md"), "card").unwrap();
    let mut written = record();
    written.enter_output(&folder.model()).unwrap();
    let names: Vec<_> = written
        .output
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    assert_eq!(names, ["1_Pooling/config.json", "README.md"]);
    written.write(&folder.run()).unwrap();
    assert_eq!(RunRecord::read(&folder.run()).unwrap(), written);
    assert!(written.started.ends_with('Z') && written.started.len() == 20);

    let text = std::fs::read_to_string(folder.run()).unwrap();
    let other = text.replacen("\"format\": 1", "\"format\": 9", 1);
    std::fs::write(folder.run(), other).unwrap();
    let error = RunRecord::read(&folder.run()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
}

#[test]
fn scores_stand_in_a_table() {
    let expected = "| stage | score/stsb | score/sick |\n|---|---:|---:|\n\
                    | start | 0.8203 | |\n| nli | 0.8300 | 0.7000 |\n";
    assert_eq!(summary(&record()), expected);
}
