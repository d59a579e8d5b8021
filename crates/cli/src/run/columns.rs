//! The documented columns are the written ones.

use std::collections::BTreeMap;

use crate::metrics::Row;

/// The columns of each file in the table of `metrics/README.md`.
fn documented() -> BTreeMap<String, Vec<String>> {
    let mut files = BTreeMap::<String, Vec<String>>::new();
    let mut file = String::new();
    for line in include_str!("../metrics/README.md").lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> =
            line.split('|').map(|cell| cell.trim().trim_matches('`')).skip(1).collect();
        if let Some(name) = cells[0].strip_suffix(".csv") {
            name.clone_into(&mut file);
        } else if !file.is_empty() {
            assert!(!cells[2].is_empty(), "no meaning: {line}");
            files.entry(file.clone()).or_default().push(cells[1].to_owned());
        }
    }
    files
}

/// The header that rows of a type bring with them.
fn header<T: Row + Default>() -> Vec<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(T::default()).unwrap();
    let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    text.lines().next().unwrap().split(',').map(str::to_owned).collect()
}

#[test]
fn the_documented_columns_are_written() {
    let written = BTreeMap::from([
        ("selfplay".to_owned(), header::<super::selfplay::Row>()),
        ("train".to_owned(), header::<super::learn::Row>()),
        ("arena".to_owned(), header::<crate::results::Row>()),
        ("machine".to_owned(), header::<crate::monitor::Row>()),
    ]);
    assert_eq!(documented(), written);
}
