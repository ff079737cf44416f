use super::*;
use candle_core::Device;
use medsift::ErrorKind;
use std::fs;
use std::path::Path;

fn sample(step: u64) -> Checkpoint {
    let tensor = |x: f32| Tensor::new(&[[x, -x], [0.5, 2.0 * x]], &Device::Cpu).unwrap();
    let moment = tensor(step as f32 * 0.1);
    Checkpoint {
        parameters: [("a.weight".to_owned(), tensor(step as f32))].into(),
        optimiser: [("a.weight/m".to_owned(), moment)].into(),
        state: State {
            step,
            stage: 1,
            epoch: 2,
            stage_step: step - 1,
            epoch_step: 3,
            seconds: 1.5,
            best: Some((0.25, 4)),
            generators: [("sampler".to_owned(), serde_json::json!({"seed": 7}))].into(),
            configuration: "abc".into(),
        },
    }
}

fn same(a: &Checkpoint, b: &Checkpoint) {
    let numbers = |tensors: &HashMap<String, Tensor>| {
        let mut all: Vec<_> = tensors
            .iter()
            .map(|(name, tensor)| (name.clone(), tensor.to_vec2::<f32>().unwrap()))
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    };
    assert_eq!(numbers(&a.parameters), numbers(&b.parameters));
    assert_eq!(numbers(&a.optimiser), numbers(&b.optimiser));
    assert_eq!(a.state, b.state);
}

fn steps(store: &CheckpointStore) -> Vec<u64> {
    store
        .list()
        .unwrap()
        .into_iter()
        .map(|(step, _)| step)
        .collect()
}

fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn the_newest_is_read_as_it_was_written_and_old_ones_go() {
    let root = tempfile::tempdir().unwrap();
    let store = CheckpointStore::new(root.path().join("checkpoints"), 2);
    assert!(store.load_newest().unwrap().is_none());
    for step in [1, 5, 9, 10] {
        store.save(&sample(step)).unwrap();
    }
    assert_eq!(steps(&store), [9, 10]);
    let newest = store.load_newest().unwrap().unwrap();
    same(&newest, &sample(10));
    // The same step once more replaces it.
    store.save(&sample(10)).unwrap();
    assert_eq!(steps(&store), [9, 10]);
    store.check_configuration(&newest, "abc").unwrap();
    let error = store.check_configuration(&newest, "abd").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
}

#[test]
fn a_kill_in_between_leaves_the_checkpoint_before() {
    let root = tempfile::tempdir().unwrap();
    let store = CheckpointStore::new(root.path(), 3);
    let whole = store.save(&sample(1)).unwrap();
    // Every state in which the writing of step 2 can be cut off: so many of
    // its files are there, the last of them half.
    let names = [
        "parameters.safetensors",
        "optimiser.safetensors",
        "state.json",
        "manifest.json",
    ];
    for files in 0..=names.len() {
        let scratch = root.path().join(".step-000000000002.tmp");
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir(&scratch).unwrap();
        for (index, name) in names[..files].iter().enumerate() {
            let bytes = fs::read(whole.join(name)).unwrap();
            let length = if index + 1 == files {
                bytes.len() / 2
            } else {
                bytes.len()
            };
            fs::write(scratch.join(name), &bytes[..length]).unwrap();
        }
        assert_eq!(steps(&store), [1]);
        same(&store.load_newest().unwrap().unwrap(), &sample(1));
    }
    store.save(&sample(3)).unwrap();
    let left: Vec<_> = fs::read_dir(root.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "the half-written one is gone");
}

#[test]
fn a_damaged_checkpoint_is_passed_over() {
    let root = tempfile::tempdir().unwrap();
    let store = CheckpointStore::new(root.path(), 3);
    let dirs = [1, 2, 3].map(|step| store.save(&sample(step)).unwrap());
    damage(&dirs[2].join("optimiser.safetensors"));
    same(&store.load_newest().unwrap().unwrap(), &sample(2));
    fs::remove_file(dirs[1].join("manifest.json")).unwrap();
    same(&store.load_newest().unwrap().unwrap(), &sample(1));
    assert_eq!(store.newest_parameters(3, 0).unwrap().len(), 1);
    damage(&dirs[0].join("state.json"));
    let error = store.load_newest().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(
        error.to_string().contains("optimiser.safetensors"),
        "{error}"
    );
}

#[test]
fn the_average_is_over_the_newest() {
    let root = tempfile::tempdir().unwrap();
    let store = CheckpointStore::new(root.path(), 4);
    for step in [1, 2, 4, 9] {
        store.save(&sample(step)).unwrap();
    }
    let states = store.newest_parameters(2, 0).unwrap();
    let mean = average(&states).unwrap();
    let expected = [[6.5, -6.5], [0.5, 13.0]];
    assert_eq!(mean["a.weight"].to_vec2::<f32>().unwrap(), expected);
    assert_eq!(store.newest_parameters(9, 4).unwrap().len(), 2);
    assert!(average(&[]).is_err());
    let other = Tensor::new(&[1f32], &Device::Cpu).unwrap();
    let strange = HashMap::from([("a.weight".to_owned(), other)]);
    let error = average(&[states[0].clone(), strange]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
}
