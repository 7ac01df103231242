//! Imports articles and pages from other systems.

#[cfg(test)]
mod answer;
mod elements;
mod feeds;
mod fetched;
mod form;
mod ghost;
mod html;
mod notes;
mod pictures;
mod plan;
mod story;
mod tables;
mod uploaded;
mod wordpress;

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    rpc::Transport,
};
use chrono_tz::Tz;
use cityguide_proto::intake::v1::{Finish, Report};
use editorial_proto::v1::{
    ImportItem, ImportRequest, editorial_client::EditorialClient, import_request::Item,
};
use tokio::sync::mpsc;

use self::{
    feeds::Feed,
    form::Form,
    ghost::Ghost,
    html::{Converter, FormerSite},
    story::{Story, Writer},
    wordpress::Export,
};
use super::{
    polled::Polled,
    refused::Refused,
    sending::{Progress, TIMEOUT, streamed, tell},
};
use crate::{content::Pictures, text_files};

pub use fetched::Fetching;
pub use notes::Notes;
pub use pictures::Uploads;
pub use plan::Plan;

/// Name of the kind in reports.
const ARTICLES: &str = "articles";

/// Origin of articles.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A local file.
    File(PathBuf),
    /// A feed of a site that remains in place.
    Polled(Polled),
}

impl Origin {
    /// Opens the origin for reading, after the byte order mark.
    fn open(&self) -> Result<Box<dyn BufRead + '_>, String> {
        let mut file: Box<dyn BufRead + '_> = match self {
            Self::File(path) => {
                let file = File::open(path).map_err(|error| error.to_string())?;
                Box::new(BufReader::new(file))
            }
            Self::Polled(polled) => Box::new(&*polled.content),
        };
        text_files::skip_byte_order_mark(&mut file)?;
        Ok(file)
    }

    fn polled(&self) -> Option<&Polled> {
        match self {
            Self::File(_) => None,
            Self::Polled(polled) => Some(polled),
        }
    }
}

/// Options for importing articles.
#[derive(Debug, Clone)]
pub struct Options {
    /// Origin of the articles.
    pub origin: Origin,
    /// Maps categories to sections.
    pub plan: Plan,
    /// Pictures that the export does not contain.
    pub uploads: Uploads,
    /// Time zone of times without an offset.
    pub zone: Tz,
    /// How the import ends.
    pub finish: Finish,
}

/// Imports a file in a single transaction. The first pass finds its contents and pictures. The pictures are published
/// before any item that shows them; a second pass then stores the items.
pub async fn articles(
    editorial: Transport,
    blobs: &Blobs,
    options: Options,
) -> Result<(Report, Notes), String> {
    fetch_pictures(&options).await?;
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

/// Fetches pictures missing in the folder before anything is sent, as this may take hours.
async fn fetch_pictures(options: &Options) -> Result<(), String> {
    let Some(fetching) = options.uploads.fetching().cloned() else {
        return Ok(());
    };
    let options = options.clone();
    let looked = tokio::task::spawn_blocking(move || {
        read(&options, &mut Refused::default(), |_| true).map(drop)
    });
    looked.await.map_err(|error| error.to_string())??;
    let (fetched, failed) = fetching.counts();
    tell(&format!(
        "pictures: {fetched} fetched, {failed} could not be"
    ));
    Ok(())
}

/// Imports a polled feed. Its pictures are not copied.
pub(crate) async fn polled_articles(
    editorial: Transport,
    polled: Polled,
    plan: Plan,
    zone: Tz,
) -> Result<Report, String> {
    let options = Options {
        origin: Origin::Polled(polled),
        plan,
        uploads: Uploads::default(),
        zone,
        finish: Finish::default(),
    };
    let (report, ..) = sent(editorial, options).await?;
    Ok(report)
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
        // A failed service returns a more useful error than the failed send.
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

/// Reads a file and passes each item to `send` until it returns false.
fn read(
    options: &Options,
    refused: &mut Refused,
    send: impl FnMut(ImportItem) -> bool,
) -> Result<(Notes, Pictures), String> {
    read_from(|| options.origin.open(), options, refused, send)
}

/// Returns the number of items in a possibly broken file.
#[cfg(test)]
pub(super) fn read_mutant(file: &[u8]) -> Result<u32, String> {
    let options = Options {
        origin: Origin::File(PathBuf::new()),
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

/// Reads a file that `open` may open several times.
fn read_from<R: BufRead>(
    open: impl Fn() -> Result<R, String>,
    options: &Options,
    refused: &mut Refused,
    mut send: impl FnMut(ImportItem) -> bool,
) -> Result<(Notes, Pictures), String> {
    let polled = options.origin.polled();
    let input = Input::read(&open, options.zone, polled.is_some())?;
    let converter = Converter::new(input.site(), options.uploads.clone());
    let mut writer = Writer::new(&options.plan, converter);
    let mut notes = Notes::default();
    let mut progress = Progress::default();
    let mut take = |story: Result<Story, (String, String)>, notes: &mut Notes| {
        if polled.is_none() {
            progress.count();
        }
        let item = story.and_then(|story| {
            let position = story.position.clone();
            writer.item(story, notes).map_err(|why| (position, why))
        });
        match item {
            Ok(mut item) => {
                if let Some(polled) = polled {
                    polled.mark(&mut item);
                }
                send(item)
            }
            Err((position, why)) => {
                refused.add(position, why);
                true
            }
        }
    };
    input.each(open()?, &mut notes, &mut take)?;
    Ok((notes, writer.converter.into_pictures()))
}

/// A file after its first reading.
enum Input {
    WordPress(Export),
    Ghost(Ghost),
    Feed(Feed),
}

impl Input {
    /// Reads a file; `stays` means that its site remains in place.
    fn read<R: BufRead>(
        open: impl Fn() -> Result<R, String>,
        zone: Tz,
        stays: bool,
    ) -> Result<Self, String> {
        Ok(match Form::of(&open)? {
            Form::WordPress | Form::Ghost if stays => {
                return Err("it is an export of a whole site, and no feed".to_owned());
            }
            Form::WordPress => Self::WordPress(Export::read(open()?, zone)?),
            Form::Ghost => Self::Ghost(Ghost::read(open()?)?),
            Form::Feed(form) => Self::Feed(Feed::read(open()?, form, zone, stays)?),
        })
    }

    fn site(&self) -> FormerSite {
        match self {
            Self::WordPress(export) => export.site(),
            Self::Feed(feed) => feed.site(),
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
            Self::Feed(feed) => feed.each(file, notes, take),
            Self::Ghost(export) => export.each(file, notes, take),
        }
    }
}
