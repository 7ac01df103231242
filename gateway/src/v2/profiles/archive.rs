//! The ZIP archive of an export, streamed and never completely in memory.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use chassis::error::{Code, Fault};
use chrono::{DateTime, Datelike, Timelike, Utc};
use cityguide_proto::readers::v1::Record;
use zip::{
    ZipWriter,
    result::ZipError,
    write::{SimpleFileOptions, StreamWriter},
};

/// README.txt of the archive, for the reader.
const README: &str = "\
This is everything we hold about you. Each file has the records of one kind, as a JSON array (RFC 8259).

profile.json            your account
sessions.json           the devices on which you are signed in
mailed_links.json       links that were mailed to you, without their secrets
facebook_links.json     your connection with Facebook
calendar_feeds.json     your calendar feed, without the secret in its address
audit_entries.json      sign-ins and changes of your account, failed attempts and what operators of the site have done
calendar_grants.json    the access that you have given to your own calendar, without its tokens
calendar_entries.json   the events that are written to it
calendar_intents.json   what you have begun to give that access, if not long ago
calendar_authorizations.json
favourites.json         the places that you have saved
todos.json              the places that you want to visit
article_bookmarks.json  the articles, events and videos that you have saved
event_bookmarks.json
video_bookmarks.json
ratings.json            your ratings; is_counted says whether one counts in a place’s average, network and
                        account_hour where it came from, until that is forgotten
contest_entries.json    your entries to contests, if your email address is confirmed
photos.json             your photos; file names the picture, which is in the folder photos of this archive
photo_reports.json      what you have told about photos of others
photo_decisions.json    what was decided about your photos, and photo_uploaders.json how far they are published at once and your own picture
photo_uploaders.json
last_updates.json       when each kind of things that you have saved last changed

A file is missing where nothing is stored. Times are in UTC. Your password is stored as a code that nobody can read.
";

/// The kind of records that several services return.
const LAST_UPDATES: &str = "last_updates";

/// Written bytes of the archive that have not been sent yet.
#[derive(Debug, Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> Bytes {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *written).into()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An unfinished archive.
pub(super) struct Archive {
    /// Boxed because it is large and moved between threads.
    zip: Box<ZipWriter<StreamWriter<Written>>>,
    written: Written,
    options: SimpleFileOptions,
    /// The kind of the open file.
    open: Option<String>,
    /// Records that are written last.
    last: Vec<Record>,
}

impl Archive {
    /// Creates an archive with its README. `now` is the modification time of its files.
    pub(super) fn new(now: DateTime<Utc>) -> Result<Self, Fault> {
        let written = Written::default();
        let mut archive = Self {
            zip: Box::new(ZipWriter::new_stream(written.clone())),
            written,
            options: SimpleFileOptions::default().last_modified_time(time(now)),
            open: None,
            last: Vec::new(),
        };
        archive.begin("README.txt")?;
        archive.write(README)?;
        Ok(archive)
    }

    /// Adds records. Records of the same kind must be adjacent.
    pub(super) fn add(&mut self, records: Vec<Record>) -> Result<(), Fault> {
        for record in records {
            if record.kind == LAST_UPDATES {
                self.last.push(record);
            } else {
                self.put(&record)?;
            }
        }
        Ok(())
    }

    /// Adds a file unchanged.
    pub(super) fn add_file(&mut self, name: &str, content: &[u8]) -> Result<(), Fault> {
        self.end_file()?;
        self.begin(name)?;
        self.zip
            .write_all(content)
            .map_err(|error| broken(&error.into()))
    }

    /// Returns the bytes written since the last call.
    pub(super) fn take(&self) -> Bytes {
        self.written.take()
    }

    /// Finishes the archive and returns the remaining bytes.
    pub(super) fn finish(mut self) -> Result<Bytes, Fault> {
        for record in std::mem::take(&mut self.last) {
            self.put(&record)?;
        }
        self.end_file()?;
        self.zip.finish().map_err(|error| broken(&error))?;
        Ok(self.written.take())
    }

    fn put(&mut self, record: &Record) -> Result<(), Fault> {
        let is_open = self.open.as_deref() == Some(&record.kind);
        if !is_open {
            self.end_file()?;
            self.begin(&format!("{}.json", record.kind))?;
            self.open = Some(record.kind.clone());
        }
        self.write(if is_open { ",\n" } else { "[\n" })?;
        self.write(&record.json)
    }

    /// Ends the list in the open file.
    fn end_file(&mut self) -> Result<(), Fault> {
        if self.open.take().is_some() {
            self.write("\n]\n")?;
        }
        Ok(())
    }

    fn begin(&mut self, name: &str) -> Result<(), Fault> {
        self.zip
            .start_file(name, self.options)
            .map_err(|error| broken(&error))
    }

    fn write(&mut self, text: &str) -> Result<(), Fault> {
        let written = self.zip.write_all(text.as_bytes());
        written.map_err(|error| broken(&error.into()))
    }
}

/// Converts a time to ZIP's format, with a resolution of two seconds; times out of range become its earliest time.
fn time(now: DateTime<Utc>) -> zip::DateTime {
    let small = |number: u32| u8::try_from(number).unwrap_or_default();
    let year = u16::try_from(now.year()).unwrap_or_default();
    zip::DateTime::from_date_and_time(
        year,
        small(now.month()),
        small(now.day()),
        small(now.hour()),
        small(now.minute()),
        small(now.second()),
    )
    .unwrap_or_default()
}

fn broken(error: &ZipError) -> Fault {
    let message = format!("an export's archive cannot be written: {error}");
    Fault::new(Code::Internal, message)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    fn record(kind: &str, json: &str) -> Record {
        Record {
            kind: kind.to_owned(),
            json: json.to_owned(),
        }
    }

    #[test]
    fn records_of_a_kind_are_one_file_also_across_pages_and_services() {
        let mut archive = Archive::new(DateTime::UNIX_EPOCH).expect("begins");
        let mut whole = archive.take().to_vec();
        let pages = [
            vec![record("favourites", r#"{"id":1}"#)],
            vec![
                record("favourites", r#"{"id":2}"#),
                record(LAST_UPDATES, r#"{"kind":"favourites"}"#),
            ],
            vec![
                record("ratings", r#"{"id":3}"#),
                record(LAST_UPDATES, r#"{"kind":"ratings"}"#),
            ],
        ];
        for page in pages {
            archive.add(page).expect("adds");
            whole.extend(archive.take());
        }
        whole.extend(archive.finish().expect("ends"));

        let mut archive = zip::ZipArchive::new(Cursor::new(whole)).expect("an archive");
        let names: Vec<_> = archive
            .file_names()
            .map(|name| name.expect("a name").into_owned())
            .collect();
        let files = [
            "README.txt",
            "favourites.json",
            "ratings.json",
            "last_updates.json",
        ];
        assert_eq!(names, files);
        for (name, count) in [("favourites", 2), ("ratings", 1), (LAST_UPDATES, 2)] {
            let mut text = String::new();
            let mut file = archive.by_name(&format!("{name}.json")).expect(name);
            file.read_to_string(&mut text).expect("text");
            let records: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
            assert_eq!(records.len(), count, "{name}");
        }
    }
}
