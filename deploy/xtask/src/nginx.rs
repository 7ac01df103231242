//! nginx as a reference: it only serves files, which is the minimal cost of serving a page.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use nix::sys::signal::Signal;
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
    progress::Step,
    unprivileged,
};
use tempfile::TempDir;

/// nginx's configuration. Temporary files are in its own folder, since the compiled-in folders belong to another
/// account. Debian's build does not select `.br` files, so text files are stored in brotli under their plain names; all
/// clients here accept brotli.
const SETTINGS: &str = r#"daemon off;
worker_processes 1;
pid "{home}/pid";
error_log stderr;
events {}
http {
  access_log off;
  # A bench sends more on one connection than a thousand.
  keepalive_requests 1000000000;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path "{home}/body";
  fastcgi_temp_path "{home}/fastcgi";
  proxy_temp_path "{home}/proxy";
  scgi_temp_path "{home}/scgi";
  uwsgi_temp_path "{home}/uwsgi";
  types {
    text/html html;
    text/css css;
    text/javascript js;
    image/svg+xml svg;
    image/jpeg jpg;
    image/png png;
    image/webp webp;
    font/woff2 woff2;
  }
  server {
    listen 127.0.0.1:{port};
    root "{home}/files";
    location = /health { return 200; }
    location ~ \.(html|css|js|svg)$ { add_header Content-Encoding br; }
  }
}
"#;

/// An HTTP/1.1 server of a folder, stopped on drop.
#[derive(Debug)]
pub(crate) struct Nginx {
    running: Running,
    home: TempDir,
    port: u16,
}

impl Nginx {
    /// Serves a new folder; `name` names its log.
    pub(crate) fn start(checkout: &Checkout, name: &str) -> anyhow::Result<Self> {
        let program = apt::ensure(checkout, "nginx-light", "", find)?;
        let account = unprivileged::account(program.parent().context("nginx is nowhere")?)?;
        let step = Step::quiet("nginx");
        let home = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        account.give(home.path())?;
        fs::create_dir(files(&home))?;
        let port = ports::free()?;
        let settings = SETTINGS
            .replace("{home}", &home.path().display().to_string())
            .replace("{port}", &port.to_string());
        let file = home.path().join("nginx.conf");
        fs::write(&file, settings)?;

        let log = checkout.log(name)?;
        let mut command = account.command(&program);
        command
            .args(["-e", "stderr", "-p"])
            .arg(home.path())
            .arg("-c")
            .arg(&file);
        let mut running = Running::start("nginx", &mut command, Output::Log(&log))?;
        let bound = Duration::from_secs(10);
        process::wait_until("nginx did not answer", Some(&log), bound, || {
            running.require_alive()?;
            Ok(ports::answers(port, "/health"))
        })?;
        step.done(&format!("answers on 127.0.0.1:{port}"));
        Ok(Self {
            running,
            home,
            port,
        })
    }

    /// The folder of served files; text files must be compressed with brotli.
    pub(crate) fn files(&self) -> PathBuf {
        files(&self.home)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        self.running.stop(Signal::SIGTERM, Duration::from_secs(5));
    }
}

fn files(home: &TempDir) -> PathBuf {
    home.path().join("files")
}

/// Debian installs nginx in a folder that is only on root's search path.
fn find() -> Option<PathBuf> {
    let usual = Path::new("/usr/sbin/nginx");
    apt::on_path(&["nginx"]).or_else(|| usual.is_file().then(|| usual.to_owned()))
}
