use super::*;

fn read(table: &LabelledTable, text: &str) -> Result<LabelledTexts> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("dev.tsv");
    std::fs::write(&path, text).unwrap();
    table.read(&path)
}

const FILE: &str = "fold\tlabel\tsentence\r\n1\tyes\tOne.\n\n2\tno\t Two. \n1\tno\tThree.\n";

fn table() -> LabelledTable {
    LabelledTable {
        text: Column::parse("sentence"),
        ..LabelledTable::default()
    }
}

fn cells(name: &str, value: i64) -> BTreeMap<String, Cell> {
    BTreeMap::from([(name.to_owned(), Cell::Number(value))])
}

#[test]
fn columns_are_found_by_name_and_by_number() {
    let texts = read(&table(), FILE).unwrap();
    let rows: Vec<(&str, &str, usize)> = texts
        .rows
        .iter()
        .map(|row| (&row.text[..], &row.label[..], row.line))
        .collect();
    assert_eq!(
        rows,
        [("One.", "yes", 2), ("Two.", "no", 4), ("Three.", "no", 5)]
    );
    let numbered = LabelledTable {
        text: Column::Number(3),
        label: Column::Number(2),
        header: false,
        ..LabelledTable::default()
    };
    let rows = read(&numbered, FILE).unwrap().rows;
    assert_eq!((rows.len(), &rows[0].label[..]), (4, "label"));
}

#[test]
fn rows_are_chosen_and_held_out() {
    let mut table = table();
    table.only = cells("fold", 1);
    let texts = read(&table, FILE).unwrap();
    assert_eq!((texts.rows.len(), texts.others), (2, 1));
    table.only.clear();
    table.without = cells("1", 1);
    let texts = read(&table, FILE).unwrap();
    assert_eq!(texts.without, ["One.", "Three."]);
    assert_eq!((texts.rows.len(), texts.others), (1, 0));
}

#[test]
fn a_column_may_be_one_of_several_values_and_texts_sentences() {
    let mut table = table();
    table.only = BTreeMap::from([(
        "label".to_owned(),
        Cell::OneOf(vec![Cell::Text("yes".to_owned()), Cell::Number(3)]),
    )]);
    table.text = Column::parse("Is {label} said of {3}?");
    table.text_pair = Some(Column::parse("sentence"));
    let texts = read(&table, FILE).unwrap();
    assert_eq!((texts.rows.len(), texts.others), (1, 2));
    assert_eq!(texts.rows[0].text, "Is yes said of One.?");
    for (column, part) in [
        ("Is {label", "not closed"),
        ("Is {nothing}?", "no column nothing"),
    ] {
        table.text = Column::parse(column);
        let error = read(&table, FILE).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_row_that_does_not_count_may_have_no_label() {
    let mut table = table();
    table.only = cells("fold", 1);
    let file = format!("{FILE}2\t\tFour.\n");
    assert_eq!(read(&table, &file).unwrap().others, 2);
    table.only = cells("fold", 2);
    let error = read(&table, &file).unwrap_err().to_string();
    assert!(error.contains("line 6: the label is empty"), "{error}");
}

#[test]
fn records_have_pairs_and_are_chosen_by_id() {
    let text = r#"{"11": {"Q": "Why?", "C": ["One.", "Two."], "d": "yes"},
                   "12": {"Q": "How?", "C": ["Three."], "d": "no"}}"#;
    let ids = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
    let mut table = LabelledTable {
        text: Column::parse("Q"),
        text_pair: Some(Column::parse("C")),
        label: Column::parse("d"),
        without_ids: ids(&["12"]),
        ..LabelledTable::default()
    };
    let texts = read(&table, text).unwrap();
    let row = &texts.rows[0];
    let pair = row.pair.as_deref();
    assert_eq!(
        (&row.text[..], pair, row.line),
        ("Why?", Some("One. Two."), 1)
    );
    assert_eq!(
        (texts.rows.len(), &texts.without[..]),
        (1, &["How?".to_owned()][..])
    );
    table.without_ids.clear();
    table.only_ids = ids(&["12"]);
    let texts = read(&table, text).unwrap();
    assert_eq!((&texts.rows[0].label[..], texts.others), ("no", 1));
    table.text_pair = Some(Column::parse("x"));
    let error = read(&table, text).unwrap_err().to_string();
    assert!(
        error.contains("no column x; there are: id, C, Q, d"),
        "{error}"
    );
    table.text_pair = Some(Column::parse("C"));
    let error = read(&table, &text.replace("Three.", ""))
        .unwrap_err()
        .to_string();
    assert!(error.contains("record 12: the second text"), "{error}");
}

#[test]
fn faults_name_their_line() {
    let numbered = |header| LabelledTable {
        text: Column::Number(9),
        label: Column::parse("label"),
        header,
        ..LabelledTable::default()
    };
    for (table, text, parts) in [
        (table(), "", ["line 1", "empty"]),
        (
            table(),
            "text\tlabel\na\tb\n",
            ["line 1", "no column sentence"],
        ),
        (numbered(true), FILE, ["line 1", "no column 9"]),
        (
            table(),
            "sentence\tlabel\na\tb\nc\n",
            ["line 3", "1 columns"],
        ),
        (
            table(),
            "sentence\tlabel\na\t \n",
            ["line 2", "label is empty"],
        ),
        (table(), "sentence\tlabel\n", ["dev.tsv", "no row"]),
    ] {
        let error = read(&table, text).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
    let mut named = table();
    named.header = false;
    let error = read(&named, FILE).unwrap_err().to_string();
    assert!(error.contains("no header"), "{error}");
}
