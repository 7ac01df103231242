//! The emails that a site has sent.

use testkit::{letters, until};

use crate::site::Site;

/// Returns the email to an address with this text in its subject, with long lines unfolded.
pub(crate) async fn letter(site: &Site, to: &str, subject: &str) -> String {
    let folder = &site.settings().mail.folder;
    let letter = until("the link is mailed", async || {
        let mut letters = letters::in_folder(folder);
        letters.retain(|letter| {
            let has = |line: &str| line.starts_with("Subject: ") && line.contains(subject);
            letter.contains(&format!("To: {to}\r\n")) && letter.lines().any(has)
        });
        letters.pop()
    })
    .await;
    letter.replace("=\r\n", "")
}

/// Returns the secret of the link in the email to an address with this text in its subject.
pub(crate) async fn link(site: &Site, to: &str, subject: &str) -> String {
    let text = letter(site, to, subject).await;
    let (_, after) = text.split_once("/accounts/").expect("a link");
    let (_, after) = after.split_once('#').expect("a secret");
    let is_secret = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    after.chars().take_while(is_secret).collect()
}
