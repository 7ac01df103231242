//! Articles and pages of other systems.

mod ghost;
mod html;
mod notes;
mod pictures;
mod plan;
mod story;
mod tables;
mod wordpress;

use std::{
    fs::File,
    io::{BufRead, BufReader, Read as _},
    path::{Path, PathBuf},
};

use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    rpc::Transport,
};
use chrono_tz::Tz;
use cityguide_proto::{
    editorial::v1::{
        ImportItem, ImportRequest, editorial_client::EditorialClient, import_request::Item,
    },
    intake::v1::{Finish, Report},
};
use tokio::sync::mpsc;

use self::{
    ghost::Ghost,
    html::{Converter, FormerSite},
    story::{Story, Writer},
    wordpress::Export,
};
use super::{
    refused::Refused,
    sending::{Progress, TIMEOUT, streamed},
};
use crate::content::Pictures;

pub(crate) use notes::Notes;
pub(crate) use pictures::Uploads;
pub(crate) use plan::Plan;

/// The kinds' names in reports.
const ARTICLES: &str = "articles";

/// What an import of articles needs beside its file.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) file: PathBuf,
    pub(crate) plan: Plan,
    pub(crate) uploads: Uploads,
    pub(crate) zone: Tz,
    pub(crate) finish: Finish,
}

/// Reads a file and imports it in one transaction. It is read once to see what it has and which pictures it needs; these are
/// published before anything shows them; then it is read again and stored.
pub(crate) async fn articles(
    editorial: Transport,
    blobs: &Blobs,
    options: Options,
) -> Result<(Report, Notes), String> {
    let looked = Options {
        finish: Finish {
            dry_run: true,
            ..options.finish
        },
        ..options.clone()
    };
    let (report, notes, pictures) = sent(editorial.clone(), looked).await?;
    let refused: u32 = report
        .kinds
        .iter()
        .filter_map(|of| of.counts)
        .map(|of| of.refused)
        .sum();
    let allowed = options.finish.refuse_at_most.unwrap_or(u32::MAX);
    if options.finish.dry_run || refused > allowed {
        return Ok((report, notes));
    }
    pictures.publish(blobs).await?;
    let (report, notes, _) = sent(editorial, options).await?;
    Ok((report, notes))
}

async fn sent(editorial: Transport, options: Options) -> Result<(Report, Notes, Pictures), String> {
    let mut client = EditorialClient::new(editorial);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let read = move |sender: &mpsc::Sender<ImportRequest>| {
        let mut refused = Refused::default();
        let (notes, pictures) = read(&options, &mut refused, |item| {
            let item = Some(Item::Content(item));
            sender.blocking_send(ImportRequest { item }).is_ok()
        })?;
        let finish = Some(Item::Finish(refused.before(options.finish)));
        // A service that has failed says more than a message that was not sent.
        drop(sender.blocking_send(ImportRequest { item: finish }));
        Ok((refused, notes, pictures))
    };
    let ((refused, notes, pictures), report) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    Ok((refused.added_to(report, ARTICLES), notes, pictures))
}

/// Reads a file; passes each item to `send` until that returns false.
fn read(
    options: &Options,
    refused: &mut Refused,
    send: impl FnMut(ImportItem) -> bool,
) -> Result<(Notes, Pictures), String> {
    read_from(|| open(&options.file), options, refused, send)
}

/// The number of items of a file that may be broken.
#[cfg(test)]
pub(super) fn read_mutant(file: &[u8]) -> Result<u32, String> {
    let options = Options {
        file: PathBuf::new(),
        plan: Plan::default(),
        uploads: Uploads::default(),
        zone: chrono_tz::America::Toronto,
        finish: Finish::default(),
    };
    let mut items = 0;
    read_from(
        || Ok(file),
        &options,
        &mut Refused::default(),
        |_| {
            items += 1;
            true
        },
    )?;
    Ok(items)
}

/// The same of a file that is opened as often as it is read.
fn read_from<R: BufRead>(
    open: impl Fn() -> Result<R, String>,
    options: &Options,
    refused: &mut Refused,
    mut send: impl FnMut(ImportItem) -> bool,
) -> Result<(Notes, Pictures), String> {
    let input = Input::read(&open, options.zone)?;
    let converter = Converter::new(input.site(), options.uploads.clone());
    let mut writer = Writer::new(&options.plan, converter);
    let mut notes = Notes::default();
    let mut progress = Progress::default();
    let mut take = |story: Result<Story, (String, String)>, notes: &mut Notes| {
        progress.count();
        let item = story.and_then(|story| {
            let position = story.position.clone();
            writer.item(story, notes).map_err(|why| (position, why))
        });
        match item {
            Ok(item) => send(item),
            Err((position, why)) => {
                refused.add(position, why);
                true
            }
        }
    };
    input.each(open()?, &mut notes, &mut take)?;
    Ok((notes, writer.converter.into_pictures()))
}

fn open(path: &Path) -> Result<BufReader<File>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    Ok(BufReader::new(file))
}

/// A file that was read once, to be read again.
enum Input {
    WordPress(Export),
    Ghost(Ghost),
}

impl Input {
    /// What a file is can be told from its first sign.
    fn read<R: BufRead>(open: impl Fn() -> Result<R, String>, zone: Tz) -> Result<Self, String> {
        let mut begin = Vec::new();
        let read = open()?.take(4096).read_to_end(&mut begin);
        read.map_err(|error| error.to_string())?;
        let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&begin);
        match begin.trim_ascii_start().first() {
            Some(b'<') => Ok(Self::WordPress(Export::read(open()?, zone)?)),
            Some(b'{') => Ok(Self::Ghost(Ghost::read(open()?)?)),
            _ => Err(
                "it is an export neither of WordPress, which is XML, nor of Ghost, which is JSON"
                    .to_owned(),
            ),
        }
    }

    fn site(&self) -> FormerSite {
        match self {
            Self::WordPress(export) => export.site(),
            Self::Ghost(export) => export.site(),
        }
    }

    fn each(
        &self,
        file: impl BufRead,
        notes: &mut Notes,
        take: impl FnMut(Result<Story, (String, String)>, &mut Notes) -> bool,
    ) -> Result<(), String> {
        match self {
            Self::WordPress(export) => export.each(file, notes, take),
            Self::Ghost(export) => export.each(file, notes, take),
        }
    }
}
