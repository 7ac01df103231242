//! Results of reading a file, for tests.

use std::{fs, io::Write as _};

use cityguide_proto::intake::v1::{Finish, Report};
use editorial_proto::v1::ImportItem;

use super::{ARTICLES, Options, Origin, Plan, Uploads, notes::Notes, read};
use crate::import::refused::Refused;

/// Items to send, rejected entries with their positions, and notes on manual work.
pub(super) struct Answer {
    pub(super) items: Vec<ImportItem>,
    pub(super) refused: Vec<String>,
    pub(super) notes: Notes,
}

impl Answer {
    /// Reads a file with a folder of these pictures, a plan that maps the category "music" to the section "culture",
    /// and a site that also has the section "news".
    pub(super) fn of(content: &str, pictures: &[&str]) -> Result<Self, String> {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(content.as_bytes()).expect("written");
        let uploads = tempfile::tempdir().expect("a folder");
        for picture in pictures {
            let path = uploads.path().join(picture);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, format!("<svg><!-- {picture} --></svg>")).expect("written");
        }
        let sections = ["news".to_owned(), "culture".to_owned()];
        let options = Options {
            origin: Origin::File(file.path().to_owned()),
            plan: Plan::read("[sections]\nmusic = \"culture\"", &sections).expect("a plan"),
            uploads: Uploads::of(Some(uploads.path().to_owned())).expect("a folder"),
            zone: chrono_tz::America::Toronto,
            finish: Finish::default(),
        };
        let mut refused = Refused::default();
        let mut items = Vec::new();
        let (notes, _) = read(&options, &mut refused, |item| {
            items.push(item);
            true
        })?;
        let report = refused.added_to(Report::default(), ARTICLES);
        let refusals = report.refusals.into_iter();
        Ok(Self {
            items,
            refused: refusals
                .map(|refusal| format!("{}: {}", refusal.position, refusal.reason))
                .collect(),
            notes,
        })
    }

    /// Returns the item with this source id.
    pub(super) fn item(&self, source_id: &str) -> &ImportItem {
        let found = self.items.iter().find(|item| item.source_id == source_id);
        found.unwrap_or_else(|| panic!("{source_id}: {:?}", self.items))
    }
}
