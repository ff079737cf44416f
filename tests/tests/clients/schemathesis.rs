use crate::served;
use medsift_tests::python;

/// Requests made from the OpenAPI document, fitting and unfitting.
#[test]
fn schemathesis_finds_nothing() {
    let (work, _running, address) = served();
    python(&work, "tests/clients/schemathesis_run.py", &[&address])
        .expect(0)
        .prints(&["ok"]);
}
