//! Small files that are received into memory, processed immediately and not stored.

use super::{Form, MAX_PARTS, Uploads};
use crate::edge::error::ApiError;

/// A small file of a form.
#[derive(Debug)]
pub(crate) struct WholeFile {
    /// The client's name for the file; empty if it sends none.
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

impl Uploads {
    /// Receives an account's form with one file of at most `most` bytes, in the field `file`. Other parts are ignored.
    pub(crate) async fn receive_whole(
        &self,
        account: i64,
        Form(mut form): Form,
        file: &'static str,
        most: usize,
    ) -> Result<WholeFile, ApiError> {
        let _slot = self.slots.take(account)?;
        let mut received: Option<WholeFile> = None;
        for _ in 0..MAX_PARTS {
            let Some(mut part) = self.in_time(form.next_field()).await? else {
                return match received {
                    None => Err(ApiError::field(file, "No file was submitted.")),
                    Some(whole) if whole.content.is_empty() => {
                        Err(ApiError::field(file, "The submitted file is empty."))
                    }
                    Some(whole) => Ok(whole),
                };
            };
            let name = part.name().unwrap_or_default().to_owned();
            if name != file || received.is_some() {
                self.text(part, &name).await?;
                continue;
            }
            let name = part.file_name().unwrap_or_default().to_owned();
            let mut content = Vec::new();
            while let Some(chunk) = self.in_time(part.chunk()).await? {
                if content.len() + chunk.len() > most {
                    let most = most >> 20;
                    let message = format!("The file is too large: it may have {most} MiB.");
                    return Err(ApiError::file_too_large(file, message));
                }
                content.extend_from_slice(&chunk);
            }
            received = Some(WholeFile { name, content });
        }
        Err(ApiError::malformed("The form has too many parts."))
    }
}
