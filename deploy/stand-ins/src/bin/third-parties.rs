//! A process with stand-ins for third parties, for browser tests and `cargo xtask up`: `third-parties google=9001
//! facebook=0` starts both on local ports, prints the settings of a site that uses them, one `NAME=value` per line, and
//! then an empty line. It exits when its standard input is closed, and therefore together with the process that started
//! it.

use std::io::{self, Write};

use stand_ins::{facebook::Facebook, google::Google};

#[tokio::main]
async fn main() -> Result<(), String> {
    let (mut google, mut facebook, mut settings) = (Vec::new(), Vec::new(), Vec::new());
    for argument in std::env::args().skip(1) {
        let (name, port) = argument
            .split_once('=')
            .and_then(|(name, port)| Some((name, port.parse().ok()?)))
            .ok_or_else(|| format!("{argument:?} is not a name and a port"))?;
        match name {
            "google" => {
                let started = Google::start_at(port).await;
                settings.extend(started.settings());
                google.push(started);
            }
            "facebook" => {
                let started = Facebook::start_at(port).await;
                settings.extend(started.settings());
                facebook.push(started);
            }
            _ => return Err(format!("there is no stand-in for {name:?}")),
        }
    }
    let lines = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}\n"));
    let lines = lines.collect::<String>() + "\n";
    io::stdout()
        .write_all(lines.as_bytes())
        .map_err(|error| error.to_string())?;
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink()))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    Ok(())
}
