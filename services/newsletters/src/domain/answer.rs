//! Interprets a mail server's reply about an address.

use chassis::mail::Reply;

/// Whether a reply means that the mailbox does not exist or accepts no email, and not that the message was rejected
/// (RFC 3463, X.1 and X.2; RFC 5321, 4.2.3 without an enhanced code).
pub(crate) fn is_of_address(reply: &Reply) -> bool {
    match reply.enhanced {
        [0, ..] => matches!(reply.code, 550 | 551 | 553),
        // A full mailbox may be emptied by its owner.
        [5, 2, 2] => false,
        [5, subject, _] => matches!(subject, 1 | 2),
        _ => false,
    }
}

/// Shortens a reply to a single line for storage.
pub(crate) fn said(reply: &Reply) -> String {
    let words: String = reply
        .words
        .chars()
        .filter(|letter| !letter.is_control())
        .take(200)
        .collect();
    match reply.code {
        0 => words,
        code => format!("{code} {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_suppressed_for_what_it_is_and_not_for_what_was_in_the_letter() {
        let reply = |code, enhanced| Reply {
            code,
            enhanced,
            words: String::new(),
        };
        for (code, enhanced) in [
            (550, [5, 1, 1]),
            (550, [5, 2, 1]),
            (550, [0, 0, 0]),
            (553, [0, 0, 0]),
        ] {
            assert!(is_of_address(&reply(code, enhanced)), "{code} {enhanced:?}");
        }
        for (code, enhanced) in [
            (550, [5, 7, 1]),
            (552, [5, 2, 2]),
            (554, [0, 0, 0]),
            (552, [5, 3, 4]),
            (0, [0, 0, 0]),
        ] {
            assert!(
                !is_of_address(&reply(code, enhanced)),
                "{code} {enhanced:?}"
            );
        }
    }
}
