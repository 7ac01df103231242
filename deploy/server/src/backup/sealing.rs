//! Compression and encryption of a backup's parts: zstd, then age with X25519 keys.

use std::{
    fs,
    io::{self, BufRead, Read, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use age::{
    DecryptError, Decryptor, Encryptor,
    stream::StreamWriter,
    x25519::{Identity, Recipient},
};
use bytes::Bytes;
use chassis::error::{Code, Fault};

/// Level 3 compresses text of tables to about a fifth, faster than most disks write it.
const LEVEL: i32 = 3;

/// The public keys for which a backup is encrypted.
#[derive(Clone)]
pub(super) struct Recipients(Vec<Recipient>);

impl Recipients {
    /// Parses public keys. [`Code::Invalid`] names the first invalid one.
    pub(super) fn parse(texts: &[String]) -> Result<Self, Fault> {
        let parsed = texts.iter().map(|text| {
            text.parse().map_err(|why| {
                let message = format!("settings: backup.recipients: {text:?}: {why}");
                Fault::new(Code::Invalid, message)
            })
        });
        Ok(Self(parsed.collect::<Result<_, _>>()?))
    }

    fn encryptor(&self) -> Result<Encryptor, Fault> {
        let recipients = self.0.iter().map(|one| one as &dyn age::Recipient);
        Encryptor::with_recipients(recipients).map_err(|_| {
            let message = "settings: backup.recipients is missing: name a public key of age";
            Fault::new(Code::Invalid, message)
        })
    }

    /// Encrypts a small content without compressing it.
    pub(super) fn seal(&self, content: &[u8]) -> Result<Bytes, Fault> {
        let mut sealed = Vec::with_capacity(content.len() + 512);
        let written = self.encryptor()?.wrap_output(&mut sealed);
        written
            .and_then(|mut writer| {
                writer.write_all(content)?;
                writer.finish()
            })
            .map_err(|error| not_sealed(&error))?;
        Ok(sealed.into())
    }

    /// Begins to compress and encrypt a content of any size.
    pub(super) fn sealer(&self) -> Result<Sealer, Fault> {
        let sealed = Sealed::default();
        let writer = self.encryptor()?.wrap_output(sealed.clone());
        let encoder = writer.and_then(|writer| zstd::Encoder::new(writer, LEVEL));
        let encoder = encoder.map_err(|error| not_sealed(&error))?;
        Ok(Sealer { encoder, sealed })
    }
}

fn not_sealed(error: &io::Error) -> Fault {
    Fault::new(
        Code::Internal,
        format!("a part cannot be encrypted: {error}"),
    )
}

/// Encrypted bytes that have not been sent yet.
#[derive(Clone, Default)]
struct Sealed(Arc<Mutex<Vec<u8>>>);

impl Sealed {
    fn take(&self) -> Bytes {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *bytes).into()
    }
}

impl Write for Sealed {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.write(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compresses and encrypts a content piece by piece.
pub(super) struct Sealer {
    encoder: zstd::Encoder<'static, StreamWriter<Sealed>>,
    sealed: Sealed,
}

impl Sealer {
    /// Adds a piece; returns the encrypted bytes so far, which may be none.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<Bytes, Fault> {
        let written = self.encoder.write_all(piece);
        written.map_err(|error| not_sealed(&error))?;
        Ok(self.sealed.take())
    }

    /// Ends the content; returns the remaining encrypted bytes.
    pub(super) fn finish(self) -> Result<Bytes, Fault> {
        let ended = self.encoder.finish().and_then(StreamWriter::finish);
        ended.map_err(|error| not_sealed(&error))?;
        Ok(self.sealed.take())
    }
}

/// The private keys that open a backup.
#[derive(Clone)]
pub(crate) struct Identities(Arc<[Identity]>);

impl Identities {
    /// Reads a file of `age-keygen`.
    pub(crate) fn read(file: &Path) -> Result<Self, Fault> {
        let refuse = |why: &str| Fault::new(Code::Invalid, format!("{}: {why}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| refuse(&error.to_string()))?;
        let keys = text.lines().map(str::trim);
        let keys = keys.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Vec<Identity> = keys
            .map(|key| key.parse().map_err(refuse))
            .collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(refuse("contains no private key (AGE-SECRET-KEY-1…)"));
        }
        Ok(Self(keys.into()))
    }

    /// Whether one of the keys opens backups for these recipients.
    pub(super) fn open_any(&self, recipients: &[String]) -> bool {
        let own = self.0.iter().map(|one| one.to_public().to_string());
        own.into_iter().any(|own| recipients.contains(&own))
    }

    /// Decrypts a content.
    pub(super) fn open<R: BufRead>(&self, sealed: R) -> io::Result<impl Read> {
        let identities = self.0.iter().map(|one| one as &dyn age::Identity);
        let opened = Decryptor::new_buffered(sealed).and_then(|one| one.decrypt(identities));
        opened.map_err(|error| match error {
            DecryptError::Io(error) => error,
            error => io::Error::other(error.to_string()),
        })
    }

    /// Decrypts a small content.
    pub(super) fn open_whole(&self, sealed: &[u8]) -> io::Result<Vec<u8>> {
        let mut content = Vec::with_capacity(sealed.len());
        self.open(sealed)?.read_to_end(&mut content)?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_opened_by_its_recipient_alone_and_unchanged() {
        let (ours, other) = (Identity::generate(), Identity::generate());
        let recipients = Recipients::parse(&[ours.to_public().to_string()]).expect("a key");
        let identities = |one: Identity| Identities([one].into());
        let (public, other) = (ours.to_public().to_string(), identities(other));
        let ours = identities(ours);
        assert!(ours.open_any(std::slice::from_ref(&public)) && !other.open_any(&[public]));

        let small = recipients.seal(b"a picture").expect("sealed");
        assert_eq!(ours.open_whole(&small).expect("opened"), b"a picture");
        other.open_whole(&small).expect_err("another key");
        let mut flipped = small.to_vec();
        *flipped.last_mut().expect("bytes") ^= 1;
        ours.open_whole(&flipped).expect_err("a flipped bit");

        let mut encoder = recipients.sealer().expect("a sealer");
        let mut sealed = Vec::new();
        for _ in 0..1_000 {
            sealed.extend(encoder.push(&[7; 1_000]).expect("sealed"));
        }
        sealed.extend(encoder.finish().expect("ended"));
        assert!(sealed.len() < 10_000, "{} bytes", sealed.len());
        let opened = ours.open(sealed.as_slice()).expect("opened");
        let content = zstd::decode_all(opened).expect("whole");
        assert!(content == vec![7; 1_000_000]);
        let cut = ours.open(&sealed[..sealed.len() - 1]);
        assert!(cut.and_then(zstd::decode_all).is_err());
    }

    #[test]
    fn invalid_and_missing_keys_are_named() {
        let Err(invalid) = Recipients::parse(&["age1nonsense".to_owned()]) else {
            panic!("an invalid key");
        };
        assert!(invalid.message.contains("age1nonsense"), "{invalid}");
        let none = Recipients::parse(&[]).expect("none");
        let missing = none.seal(b"").expect_err("no key");
        assert!(missing.message.contains("backup.recipients"), "{missing}");
    }
}
