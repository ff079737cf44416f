use super::*;

#[test]
fn a_byte_order_mark_and_line_ends_of_windows_are_no_text() {
    let folder = Folder::new();
    let table = "\u{feff}anchor\tpositive\r\na\tb\r\n";
    let set = load(&folder.spec(Format::Pairs, "a.tsv", table)).unwrap();
    assert_eq!(texts(&set), [["a", "b"]]);
}

#[test]
fn quotes_are_text() {
    let folder = Folder::new();
    let table = "anchor\tpositive\n\"a\"\tb \"c\n";
    let set = load(&folder.spec(Format::Pairs, "a.tsv", table)).unwrap();
    assert_eq!(texts(&set), [["\"a\"", "b \"c"]]);
}

#[test]
fn relative_paths_are_seen_from_a_folder() {
    let folder = Folder::new();
    folder.write("data/a.tsv", "anchor\tpositive\na\tb\n");
    let spec = DataSpec::new(Format::Pairs, ["data/*.tsv"]).relative_to(folder.0.path());
    assert_eq!(load(&spec).unwrap().examples.len(), 1);
}
