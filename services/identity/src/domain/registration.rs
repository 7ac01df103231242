//! The validation rules of the sign-up and sign-in forms.

use chassis::{email::Email, error::FieldError, form};

use super::password;

/// The maximum length of a name, in characters.
pub(super) const MAX_NAME: usize = 255;

/// A new reader's name and address. They satisfy every rule except uniqueness, which the database checks.
#[derive(Debug)]
pub(crate) struct Newcomer {
    pub(crate) full_name: String,
    pub(crate) email: Email,
}

impl Newcomer {
    /// The maximum length of a name, in characters.
    pub(crate) const MAX_NAME: usize = MAX_NAME;

    /// Validates a name and an address; the errors name all invalid fields.
    pub(crate) fn parse(full_name: &str, email: &str) -> Result<Self, Vec<FieldError>> {
        match (form::line(full_name, MAX_NAME), Email::parse(email)) {
            (Ok(full_name), Ok(email)) => Ok(Self { full_name, email }),
            (full_name, email) => {
                let name = full_name.err().map(|wrong| ("full_name", wrong));
                let email = email.err().map(|wrong| ("email", wrong));
                let errors = name.into_iter().chain(email);
                Err(errors
                    .map(|(field, message)| FieldError::new(field, message))
                    .collect())
            }
        }
    }
}

/// A sign-up with a password.
#[derive(Debug)]
pub(crate) struct Registration {
    pub(crate) newcomer: Newcomer,
    pub(crate) password: String,
}

impl Registration {
    /// Validates a sign-up; the errors name all invalid fields.
    pub(crate) fn parse(
        full_name: &str,
        email: &str,
        password: &str,
        password_repeat: &str,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        for message in password::check_new(password, email, full_name) {
            errors.push(FieldError::new("password", message));
        }
        if password != password_repeat {
            let message = "The two passwords fields didn't match.";
            errors.push(FieldError::new("password_repeat", message));
        }
        match Newcomer::parse(full_name, email) {
            Ok(newcomer) if errors.is_empty() => Ok(Self {
                newcomer,
                password: password.to_owned(),
            }),
            Ok(_) => Err(errors),
            Err(others) => {
                errors.extend(others);
                Err(errors)
            }
        }
    }
}

/// Checks that the sign-in fields are not empty. A malformed address is treated like a wrong address, and a password of
/// any length is accepted for verification.
pub(crate) fn check_sign_in(email: &str, password: &str) -> Result<(), Vec<FieldError>> {
    let blank = |field: &str, text: &str| {
        text.is_empty()
            .then(|| FieldError::new(field, "This field may not be blank."))
    };
    let errors: Vec<_> = blank("email", email.trim())
        .into_iter()
        .chain(blank("password", password))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(result: Result<Registration, Vec<FieldError>>) -> Vec<String> {
        let mut fields: Vec<_> = result
            .expect_err("refused")
            .into_iter()
            .map(|error| error.field)
            .collect();
        fields.sort();
        fields
    }

    #[test]
    fn every_field_at_fault_is_named() {
        assert_eq!(
            fields(Registration::parse("  ", "nobody", "", "x")),
            ["email", "full_name", "password", "password_repeat"]
        );
        let bad_name = Registration::parse(
            "Ada\u{0}",
            "ada@example.com",
            "correct horse",
            "correct horse",
        );
        assert_eq!(fields(bad_name), ["full_name"]);
    }

    #[test]
    fn a_name_is_kept_with_single_spaces() {
        let ok = Registration::parse(
            " Ada  King ",
            "ada@example.com",
            "correct horse",
            "correct horse",
        );
        assert_eq!(ok.expect("valid").newcomer.full_name, "Ada King");
    }

    #[test]
    fn an_empty_sign_in_names_both_fields() {
        let errors = check_sign_in(" ", "").expect_err("refused");
        assert_eq!(errors.len(), 2);
        assert!(check_sign_in("nonsense", "x").is_ok());
    }
}
