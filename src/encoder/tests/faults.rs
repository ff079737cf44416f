use super::*;
use crate::ErrorKind;
use candle_core::{Device, Tensor};
use std::collections::HashMap;
use std::path::Path;

/// A copy of a small model to damage.
fn copy(name: &str) -> tempfile::TempDir {
    fn copy_into(from: &Path, to: &Path) {
        for entry in std::fs::read_dir(from).unwrap() {
            let (path, to) = {
                let entry = entry.unwrap();
                (entry.path(), to.join(entry.file_name()))
            };
            if path.is_dir() {
                std::fs::create_dir(&to).unwrap();
                copy_into(&path, &to);
            } else {
                std::fs::copy(&path, &to).unwrap();
            }
        }
    }
    let dir = tempfile::tempdir().unwrap();
    copy_into(&fixture(name), dir.path());
    dir
}

fn refusal(dir: &Path) -> (ErrorKind, String) {
    let error = Encoder::open(dir, EncoderOptions::default()).unwrap_err();
    (error.kind(), error.to_string())
}

fn set_config(dir: &Path, field: &str, value: serde_json::Value) {
    let path = dir.join("config.json");
    let mut config: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    config[field] = value;
    std::fs::write(&path, config.to_string()).unwrap();
}

fn change_weights(dir: &Path, change: impl FnOnce(&mut HashMap<String, Tensor>)) {
    let path = dir.join("model.safetensors");
    let mut tensors = candle_core::safetensors::load(&path, &Device::Cpu).unwrap();
    change(&mut tensors);
    std::fs::remove_file(&path).unwrap();
    candle_core::safetensors::save(&tensors, &path).unwrap();
}

#[test]
fn missing_files_are_named() {
    for (name, file) in [
        ("bert-mean", "config.json"),
        ("bert-mean", "model.safetensors"),
        ("bert-mean", "tokenizer.json"),
        ("bert-cls-old", "pytorch_model.bin"),
    ] {
        let dir = copy(name);
        std::fs::remove_file(dir.path().join(file)).unwrap();
        let (kind, message) = refusal(dir.path());
        assert_eq!(kind, ErrorKind::NotFound, "{message}");
        let wanted = file.replace("pytorch_model.bin", "model.safetensors");
        assert!(message.contains(&wanted), "{message}");
    }
    let (kind, message) = refusal(Path::new("no/such/model"));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(message.contains("medsift model get"), "{message}");
}

#[test]
fn damaged_files_are_named() {
    for (name, file) in [
        ("bert-mean", "config.json"),
        ("bert-mean", "model.safetensors"),
        ("bert-mean", "tokenizer.json"),
        ("bert-mean", "modules.json"),
        ("bert-cls-old", "pytorch_model.bin"),
    ] {
        let dir = copy(name);
        let path = dir.path().join(file);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let (kind, message) = refusal(dir.path());
        assert_eq!(kind, ErrorKind::Corrupt, "{message}");
        assert!(message.contains(file), "{message}");
    }
}

#[test]
fn what_is_not_supported_is_refused_in_words() {
    for (field, value, wanted) in [
        (
            "model_type",
            "electra".into(),
            "unknown architecture `electra`",
        ),
        ("hidden_act", "mish".into(), "unknown activation `mish`"),
        (
            "position_embedding_type",
            "relative_key".into(),
            "position_embedding_type `relative_key`",
        ),
        ("num_attention_heads", 5.into(), "not a multiple"),
        ("num_hidden_layers", 0.into(), "`num_hidden_layers`"),
        ("hidden_size", 64.into(), "has the shape"),
        ("num_hidden_layers", 3.into(), "lacks the parameter"),
        ("vocab_size", 100.into(), "the vocabulary goes up to number"),
    ] {
        let dir = copy("bert-mean");
        set_config(dir.path(), field, value);
        let (kind, message) = refusal(dir.path());
        assert_eq!(kind, ErrorKind::Incompatible, "{message}");
        assert!(message.contains(wanted), "{message}");
    }
    let dir = copy("bert-mean");
    let modules = std::fs::read_to_string(dir.path().join("modules.json")).unwrap();
    let modules = modules.replace("models.Normalize", "models.LSTM");
    std::fs::write(dir.path().join("modules.json"), modules).unwrap();
    let (kind, message) = refusal(dir.path());
    assert_eq!(kind, ErrorKind::Incompatible);
    assert!(message.contains("models.LSTM"), "{message}");
}

#[test]
fn a_linear_layer_that_does_not_fit_is_refused() {
    let change = |field: &str, value: serde_json::Value| {
        let dir = copy("dense");
        let path = dir.path().join("2_Dense/config.json");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
        config[field] = value;
        std::fs::write(&path, config.to_string()).unwrap();
        refusal(dir.path())
    };
    for (field, value, wanted) in [
        (
            "activation_function",
            "torch.nn.GELU".into(),
            "only Identity and Tanh",
        ),
        ("in_features", 31.into(), "should have the shape [24, 31]"),
        ("out_features", 25.into(), "should have the shape [25, 32]"),
    ] {
        let (kind, message) = change(field, value);
        assert_eq!(kind, ErrorKind::Incompatible, "{message}");
        assert!(message.contains(wanted), "{message}");
    }
    let dir = copy("dense");
    std::fs::remove_dir_all(dir.path().join("2_Dense")).unwrap();
    let modules = std::fs::read_to_string(dir.path().join("modules.json")).unwrap();
    std::fs::write(
        dir.path().join("modules.json"),
        modules.replace("2_Dense", "3_Dense"),
    )
    .unwrap();
    let (kind, message) = refusal(dir.path());
    assert_eq!(kind, ErrorKind::Incompatible, "{message}");
    assert!(message.contains("takes 24 numbers"), "{message}");
}

#[test]
fn weights_that_are_not_numbers_are_refused() {
    let dir = copy("bert-mean");
    let name = "encoder.layer.1.output.dense.bias";
    change_weights(dir.path(), |tensors| {
        let mut values: Vec<f32> = tensors[name].to_vec1().unwrap();
        values[7] = f32::NAN;
        tensors.insert(name.into(), Tensor::new(values, &Device::Cpu).unwrap());
    });
    let (kind, message) = refusal(dir.path());
    assert_eq!(kind, ErrorKind::Corrupt);
    assert!(
        message.contains(name) && message.contains("position 7"),
        "{message}"
    );
}

#[test]
fn half_precision_weights_are_read() {
    let dir = copy("bert-mean");
    change_weights(dir.path(), |tensors| {
        for tensor in tensors.values_mut() {
            *tensor = tensor.to_dtype(candle_core::DType::F16).unwrap();
        }
    });
    let half = Encoder::open(dir.path(), EncoderOptions::default()).unwrap();
    let whole = open("bert-mean");
    let (a, b) = (
        half.encode_query("muscle").unwrap(),
        whole.encode_query("muscle").unwrap(),
    );
    assert!(distance(&a, &b) < 1e-2);
    assert_ne!(half.fingerprint(), whole.fingerprint());
}

#[test]
fn wrong_options_are_the_callers_fault() {
    let try_options = |threads, max_tokens| {
        let options = EncoderOptions {
            threads,
            max_tokens,
            ..EncoderOptions::default()
        };
        Encoder::open(&fixture("bert-mean"), options)
    };
    assert_eq!(
        try_options(Some(0), None).unwrap_err().field(),
        Some("threads")
    );
    assert_eq!(
        try_options(None, Some(2)).unwrap_err().field(),
        Some("max_tokens")
    );
    let most = try_options(None, Some(100_000)).unwrap();
    assert_eq!(most.max_tokens(), 48, "no more than there are positions");
}
