//! The official client of the Model Context Protocol.

use medsift_tests::{Workspace, binary, python, sample};

#[test]
fn an_assistant_calls_every_tool_over_standard_input_and_output() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let binary = binary().display().to_string();
    let index = work.join("idx").display().to_string();
    let ran = python(
        &work,
        "tests/clients/mcp_client.py",
        &["stdio", &binary, &index],
    );
    let _ = ran.expect(0).prints(&["ok"]);
}

#[test]
fn an_assistant_calls_every_tool_over_http() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let url = format!("http://{}/mcp", running.address());
    let ran = python(&work, "tests/clients/mcp_client.py", &["http", &url]);
    let _ = ran.expect(0).prints(&["ok"]);
}

#[test]
fn the_example_lists_what_is_found() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let url = format!("http://{}/mcp", running.address());
    let ran = python(&work, "docs/examples/mcp_client.py", &["statins", &url]);
    let _ = ran.expect(0).prints(&["990000001"]);
}
