use crate::served;
use medsift_tests::python;

#[test]
fn the_official_client_gets_embeddings_and_errors() {
    let (work, _running, address) = served();
    python(&work, "tests/clients/openai_client.py", &[&address])
        .expect(0)
        .prints(&["ok"]);
}
