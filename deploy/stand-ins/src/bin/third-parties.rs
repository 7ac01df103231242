//! A process with stand-ins for third parties, for browser tests: `third-parties google=9001 facebook=9002` starts both
//! on these local ports. It exits when its standard input is closed, and therefore together with the process that
//! started it.

use std::io;

use testkit::{facebook::Facebook, google::Google};

#[tokio::main]
async fn main() -> Result<(), String> {
    let (mut google, mut facebook) = (Vec::new(), Vec::new());
    for argument in std::env::args().skip(1) {
        let (name, port) = argument
            .split_once('=')
            .and_then(|(name, port)| Some((name, port.parse().ok()?)))
            .ok_or_else(|| format!("{argument:?} is not a name and a port"))?;
        match name {
            "google" => google.push(Google::start_at(port).await),
            "facebook" => facebook.push(Facebook::start_at(port).await),
            _ => return Err(format!("there is no stand-in for {name:?}")),
        }
    }
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink()))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    Ok(())
}
