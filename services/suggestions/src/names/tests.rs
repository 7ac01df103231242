use super::*;
use crate::{DocumentKind, folded};

fn entry(name: &str, quality: f32) -> Entry {
    Entry {
        name: name.to_owned(),
        path: format!("/{}/", folded(name).join("-")),
        quality,
    }
}

fn names<'a>(entries: impl IntoIterator<Item = (DocumentKind, &'a str, f32)>) -> Names {
    let mut builder = Builder::default();
    for (id, (kind, name, quality)) in (1..).zip(entries) {
        builder.add((kind, id), &entry(name, quality));
    }
    Names::new(builder)
}

fn typed(names: &Names, text: &str) -> Vec<String> {
    let found = names.best(&folded(text), 8);
    found.into_iter().map(|one| one.name).collect()
}

#[test]
fn a_name_is_found_by_the_beginnings_of_its_words() {
    use DocumentKind::{Article, BestOfList, Listing};
    let names = names([
        (Listing, "Kensington Café", 0.5),
        (Listing, "The Café on Kensington", 0.9),
        (Article, "Kensington, a café at a time", 0.6),
        (BestOfList, "Cafés of Kensington", 0.1),
        (Listing, "Kennel", 0.2),
        (Listing, "Bar Bar", 1.0),
    ]);
    let (cafe, on, article, list) = (
        "Kensington Café",
        "The Café on Kensington",
        "Kensington, a café at a time",
        "Cafés of Kensington",
    );
    for (text, expected) in [
        // Names that begin with the words first, then other names; places before articles of about the same quality.
        ("ken", vec![cafe, article, "Kennel", on, list]),
        ("CAFE ken", vec![on, cafe, article]),
        ("kensington c", vec![cafe, on, article, list]),
        ("kensington, A", vec![article]),
        ("bar", vec!["Bar Bar"]),
        ("ken ca", vec![]),
        ("barn", vec![]),
        ("", vec![]),
        ("…", vec![]),
    ] {
        assert_eq!(typed(&names, text), expected, "{text}");
    }
}

/// The expected result of [`Names::best`], computed from all entries.
fn expected(entries: &BTreeMap<Key, Entry>, words: &[String]) -> Vec<String> {
    let Some((last, before)) = words.split_last() else {
        return Vec::new();
    };
    let mut found: Vec<(f32, &str)> = Vec::new();
    for ((kind, _), entry) in entries {
        let has = folded(&entry.name);
        let fits = has.iter().any(|word| word.starts_with(last.as_str()))
            && before.iter().all(|word| has.contains(word));
        let begins = has.len() >= words.len()
            && has.starts_with(before)
            && has[before.len()].starts_with(last.as_str());
        let bonus = match kind {
            DocumentKind::BestOfList => 0.3,
            DocumentKind::Listing => 0.2,
            _ => 0.0,
        };
        if fits {
            found.push((
                entry.quality + bonus + f32::from(u8::from(begins)),
                &entry.name,
            ));
        }
    }
    found.sort_by(|(score, name), (other, another)| other.total_cmp(score).then(name.cmp(another)));
    let found = found.into_iter().take(8);
    found.map(|(_, name)| name.to_owned()).collect()
}

const WORDS: [&str; 12] = [
    "bar",
    "bars",
    "barn",
    "cafe",
    "ca",
    "ken",
    "kensington",
    "kent",
    "the",
    "theatre",
    "of",
    "o",
];

/// A name derived from a number: many names are similar, and some contain a word twice.
fn made_up(number: u64) -> String {
    let word = |by: u64| WORDS[usize::try_from(number / by % 12).expect("small")];
    let length = 1 + number % 3;
    let words: Vec<&str> = [1, 12, 144]
        .map(word)
        .into_iter()
        .take(usize::try_from(length).expect("small"))
        .collect();
    words.join(" ")
}

#[test]
fn the_best_are_found_also_after_changes_and_in_the_next_table() {
    let mut known: BTreeMap<Key, Entry> = BTreeMap::new();
    let mut builder = Builder::default();
    let quality =
        |number: u64| f32::from(u16::try_from(number * 7_919 % 1_000).expect("small")) / 1_000.0;
    for number in 0..3_000_u64 {
        let kind = DocumentKind::ALL[usize::try_from(number % 5).expect("small")];
        let key = (kind, number.cast_signed());
        let entry = entry(&made_up(number * 31), quality(number));
        builder.add(key, &entry);
        known.insert(key, entry);
    }
    let mut names = Names::new(builder);
    let check = |names: &Names, known: &BTreeMap<Key, Entry>, when: &str| {
        assert_eq!(names.len(), known.len(), "{when}");
        for first in ["", "b", "bar", "bars", "ca", "k", "kens", "the", "o", "z"] {
            for before in ["", "the", "cafe", "bar", "o o", "of the"] {
                let text = format!("{before} {first}");
                let words = folded(&text);
                let found = names.best(&words, 8);
                let found: Vec<String> = found.into_iter().map(|one| one.name).collect();
                assert_eq!(found, expected(known, &words), "{text} {when}");
            }
        }
    };
    check(&names, &known, "at first");
    // Every third entry changes, every seventh is deleted, and some are new.
    let mut changes = Vec::new();
    for number in 0..4_000_u64 {
        let kind = DocumentKind::ALL[usize::try_from(number % 5).expect("small")];
        let key = (kind, number.cast_signed());
        let change = match number {
            _ if number % 7 == 0 => None,
            _ if number % 3 == 0 || number >= 3_000 => {
                Some(entry(&made_up(number * 17), quality(number + 1)))
            }
            _ => continue,
        };
        match &change {
            Some(entry) => known.insert(key, entry.clone()),
            None => known.remove(&key),
        };
        changes.push((key, change));
    }
    names = names.changed(changes.clone());
    check(&names, &known, "after changes");
    let next = names.start_next().expect("there are many changes");
    assert!(names.start_next().is_none(), "one is built at a time");
    // Changes made while a table is being built are not lost.
    let late = (DocumentKind::Listing, 5);
    let late_entry = entry("kensington kent", 0.77);
    known.insert(late, late_entry.clone());
    names = names.changed(vec![(late, Some(late_entry))]);
    check(&names, &known, "while the next is built");
    assert!(!names.has_next());
    next.run();
    assert!(names.has_next());
    names = names.changed(Vec::new());
    check(&names, &known, "with the next");
    assert_eq!(names.changes.len(), 1);
    // Repeated changes have no effect.
    names = names.changed(
        changes
            .into_iter()
            .filter(|(key, _)| *key != late)
            .collect(),
    );
    assert_eq!(names.changes.len(), 1);
    check(&names, &known, "after the same changes again");
}

/// Tests each case of which word is rarer, and how frequent the other word is.
#[test]
fn words_of_very_many_names_are_found_together_with_rare_ones() {
    let mut known: BTreeMap<Key, Entry> = BTreeMap::new();
    let mut builder = Builder::default();
    for number in 0..70_000_u32 {
        let name = match number {
            _ if number % 20_000 == 7 => format!("zinc the {}", number % 9),
            _ if number % 20_000 == 11 => format!("kensington the lower {}", number % 9),
            _ if number % 50 == 1 => format!("bar the {}", number % 90),
            _ if number % 3 == 0 => format!("the kensington {}", number % 900),
            _ if number % 3 == 1 => format!("the lower {}", number % 900),
            _ => format!("the {number}"),
        };
        let shuffled = u16::try_from(number * 7_919 % 65_521).expect("small");
        let entry = entry(&name, f32::from(shuffled) / 65_521.0);
        let key = (DocumentKind::Article, number.into());
        builder.add(key, &entry);
        known.insert(key, entry);
    }
    let names = Names::new(builder);
    for text in [
        "the ken",
        "the zi",
        "zinc t",
        "bar t",
        "the bar",
        "kensington the",
        // Neither word is rare, and few names contain both.
        "kensington low",
        "lower kens",
        "the z",
    ] {
        let words = folded(text);
        assert_eq!(typed(&names, text), expected(&known, &words), "{text}");
    }
}
