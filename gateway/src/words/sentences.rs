//! Texts from other systems.

/// Converts a text in capitals to lower case with an initial capital; other texts remain unchanged.
pub(crate) fn calm(text: &str) -> String {
    if text.chars().any(char::is_lowercase) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().into_iter();
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shouts_is_calmed() {
        let words = [
            "FAIL TO CLEAN - SEC. 7(1)",
            "Fail to clean FLOORS",
            "",
            "É É",
        ]
        .map(calm);
        assert_eq!(
            words,
            [
                "Fail to clean - sec. 7(1)",
                "Fail to clean FLOORS",
                "",
                "É é"
            ]
        );
    }
}
