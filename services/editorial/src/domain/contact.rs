//! Visitors' messages to the site.

use chassis::{
    email::Email,
    error::FieldError,
    form,
    mail::{Address, Mail, Mailbox},
};

/// Maximum lengths of name and subject, in characters.
const MAX_NAME: usize = 255;
const MAX_SUBJECT: usize = 200;
/// Maximum length of a message, in characters.
const MAX_MESSAGE: usize = 10_000;

/// A valid message of a visitor.
#[derive(Debug)]
pub(crate) struct Contact {
    name: String,
    email: Email,
    subject: String,
    message: String,
}

impl Contact {
    /// Validates a visitor's message and reports every invalid field.
    pub(crate) fn parse(
        name: &str,
        email: &str,
        subject: &str,
        message: &str,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut keep = |field: &str, checked: Result<String, String>| {
            checked.unwrap_or_else(|message| {
                errors.push(FieldError::new(field, message));
                String::new()
            })
        };
        let name = keep("name", form::line(name, MAX_NAME));
        let subject = keep("subject", form::line(subject, MAX_SUBJECT));
        let message = keep("message", form::lines(message, MAX_MESSAGE));
        match Email::parse(email) {
            Ok(email) if errors.is_empty() => Ok(Self {
                name,
                email,
                subject,
                message,
            }),
            Ok(_) => Err(errors),
            Err(message) => {
                errors.push(FieldError::new("email", message));
                Err(errors)
            }
        }
    }

    /// Builds the email to the site. The sender is also in the text, because some valid addresses are not allowed in a
    /// header.
    pub(crate) fn mail(self, to: Address) -> Mail {
        let Self {
            name,
            email,
            subject,
            message,
        } = self;
        let text = format!("{message}\n\n-- \n{name} <{}>\n", email.as_str());
        let answers = email.as_str().parse().ok();
        Mail {
            about: "contact".to_owned(),
            to,
            reply_to: answers.map(|address| Mailbox::new(Some(name), address)),
            return_path: None,
            subject,
            text,
            html: None,
            headers: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_at_fault_is_named() {
        let fields = |name: &str, email: &str, subject: &str, message: &str| {
            let errors = Contact::parse(name, email, subject, message).err();
            let errors = errors.unwrap_or_default().into_iter();
            errors.map(|error| error.field).collect::<Vec<_>>()
        };
        let (ada, email) = ("Ada King", "ada@example.com");
        assert_eq!(fields(ada, email, "Hi", "Two\r\nlines."), [""; 0]);
        assert_eq!(
            fields(" ", "", "", "\n"),
            ["name", "subject", "message", "email"]
        );
        let injected = "Hi\r\nBcc: victim@example.com";
        assert_eq!(fields(injected, email, injected, "x"), ["name", "subject"]);
        assert_eq!(fields(ada, "ada@example.com\nBcc: x", "Hi", "x"), ["email"]);
        let long = "a".repeat(10_001);
        assert_eq!(
            fields(&long[..256], email, &long[..201], &long),
            ["name", "subject", "message"]
        );
        assert_eq!(
            fields(&long[..255], email, &long[..200], &long[..10_000]),
            [""; 0]
        );
    }

    #[test]
    fn whoever_wrote_gets_the_answer_and_is_named_in_the_text() {
        let to: Address = "editor@guide.example".parse().expect("an address");
        let mail = |email: &str| {
            let contact = Contact::parse("Ada King", email, "Hi", "Where is it?");
            contact.expect("valid").mail(to.clone())
        };
        let usual = mail("ada@example.com");
        let answers = usual.reply_to.expect("answers").to_string();
        assert_eq!(answers, "Ada King <ada@example.com>");
        assert_eq!(
            usual.text,
            "Where is it?\n\n-- \nAda King <ada@example.com>\n"
        );
        // The site accepts this address, but it is too long for a header (RFC 5321, 4.5.3.1.1).
        let long = format!("{}@example.com", "a".repeat(200));
        let odd = mail(&long);
        assert!(odd.reply_to.is_none() && odd.text.contains(&long));
    }
}
