//! A folder for letters, used if no server is configured: for development, and for sites whose mail another program
//! collects.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tokio::{fs, io::AsyncWriteExt};

use super::{
    letter::Letter,
    mailer::{Mailer, Reply, Undelivered},
};

/// Writes each letter to a separate file, `{id}.eml`.
#[derive(Debug, Clone)]
pub struct FolderMailer {
    folder: PathBuf,
}

impl FolderMailer {
    /// A mailer to a folder, which is created with the first letter.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Writes a letter atomically: a reader of the folder never sees a partial letter.
    async fn put(&self, letter: &Letter) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder).await?;
        let unfinished = self.folder.join(format!("{}.part", letter.id));
        let mut file = fs::File::create(&unfinished).await?;
        file.write_all(&letter.content).await?;
        file.sync_all().await?;
        fs::rename(&unfinished, self.folder.join(format!("{}.eml", letter.id))).await
    }
}

#[async_trait]
impl Mailer for FolderMailer {
    async fn send(&self, letter: &Letter) -> Result<Reply, Undelivered> {
        match self.put(letter).await {
            Ok(()) => Ok(Reply {
                code: 250,
                enhanced: [0; 3],
                words: "written".to_owned(),
            }),
            Err(error) => {
                let folder = self.folder.display();
                let why = format!("mail.folder {folder} cannot be written: {error}");
                Err(Undelivered::Away(why))
            }
        }
    }
}
