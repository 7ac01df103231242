//! Settings: documented defaults, overridden by a TOML file, overridden by environment variables
//! (`CITYGUIDE__SECTION__KEY`), and `*_file` keys for secrets in files.

use std::{fs, path::Path};

use figment::{
    Figment,
    providers::{Env, Format, Serialized, Toml},
    value::{Dict, Value},
};
use serde::de::DeserializeOwned;

use crate::error::{Code, Fault};

/// The prefix of environment variables; `__` separates sections and keys.
pub const ENV_PREFIX: &str = "CITYGUIDE__";

/// Loads the settings. `defaults` is the content of the documented defaults file. An unknown key or a value of the
/// wrong type is refused, with the key and its source in the error.
pub fn load<T: DeserializeOwned>(defaults: &str, file: Option<&Path>) -> Result<T, Fault> {
    let mut figment = Figment::from(Toml::string(defaults));
    if let Some(file) = file {
        if !file.is_file() {
            return Err(invalid(&format!(
                "the settings file {} does not exist",
                file.display()
            )));
        }
        figment = figment.merge(Toml::file_exact(file));
    }
    figment = figment.merge(Env::prefixed(ENV_PREFIX).split("__"));
    let mut all: Dict = figment.extract().map_err(|error| explain(&error))?;
    read_secret_files(&mut all, "")?;
    Figment::from(Serialized::defaults(all))
        .extract()
        .map_err(|error| with_origin(&figment, &error))
}

/// If `key_file` is set, sets `key` to the content of that file without the trailing line break.
fn read_secret_files(section: &mut Dict, prefix: &str) -> Result<(), Fault> {
    let mut secrets = Vec::new();
    for (key, value) in section.iter_mut() {
        match value {
            Value::Dict(_, inner) => read_secret_files(inner, &format!("{prefix}{key}."))?,
            Value::String(_, path) if key.ends_with("_file") => {
                let secret = fs::read_to_string(&*path).map_err(|error| {
                    invalid(&format!(
                        "{prefix}{key} names {path}, which cannot be read: {error}"
                    ))
                })?;
                secrets.push((
                    key.clone(),
                    secret.trim_end_matches(['\r', '\n']).to_owned(),
                ));
            }
            _ => {}
        }
    }
    for (key, secret) in secrets {
        section.remove(&key);
        section.insert(
            key.trim_end_matches("_file").to_owned(),
            Value::from(secret),
        );
    }
    Ok(())
}

fn explain(error: &figment::Error) -> Fault {
    invalid(&error.to_string())
}

/// The message of an error in the merged values, with the file or variable that the value came from.
fn with_origin(figment: &Figment, error: &figment::Error) -> Fault {
    let mut key = error.path.join(".");
    if let figment::error::Kind::UnknownField(field, _) = &error.kind
        && !key.ends_with(field.as_str())
    {
        key = if key.is_empty() {
            field.clone()
        } else {
            format!("{key}.{field}")
        };
    }
    let origin = figment
        .find_metadata(&key)
        .map(|metadata| match &metadata.source {
            Some(source) => format!(" (from {source})"),
            None => format!(" (from {})", metadata.name),
        })
        .unwrap_or_default();
    let reason = error.kind.to_string();
    invalid(&if key.is_empty() {
        reason
    } else {
        format!("{key}: {reason}{origin}")
    })
}

fn invalid(message: &str) -> Fault {
    Fault::new(Code::Invalid, format!("settings: {message}"))
}
