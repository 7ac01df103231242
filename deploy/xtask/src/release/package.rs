//! Packs the program, the chart and the image. The archives are repeatable: their files are sorted, belong to root and
//! have the time of the commit.

use std::{fs, path::Path, process::Command};

use anyhow::Context;
use servers::{
    checkout::Checkout,
    process::{self, Output},
};

use super::{changes, files::Release};
use crate::layout;

/// The chart's folder.
const CHART: &str = "helm/cityguide/";
/// Debian's bundle of certificate authorities, for images whose base has none.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";
/// Documents that an operator needs beside the program.
const DOCUMENTS: [&str; 3] = ["LICENSE", "docs/DEPLOYING.md", "docs/OPERATIONS.md"];

/// Writes repeatable archives.
pub(super) struct Packer {
    /// The time of all files, in seconds since 1970.
    seconds: String,
    compressor: &'static str,
}

impl Packer {
    /// A small archive takes longer.
    pub(super) fn new(seconds: String, is_small: bool) -> Self {
        let compressor = if is_small { "gzip -n -9" } else { "gzip -n -1" };
        Self {
            seconds,
            compressor,
        }
    }

    /// Packs a folder, which becomes the only entry at the archive's top.
    fn pack(&self, folder: &Path, archive: &Path) -> anyhow::Result<()> {
        let (parent, name) = folder
            .parent()
            .zip(folder.file_name())
            .context("a folder")?;
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--format=gnu", "--numeric-owner"])
            .args(["--owner=0", "--group=0", "--mode=u=rwX,go=rX"])
            .arg(format!("--mtime=@{}", self.seconds))
            .args(["--use-compress-program", self.compressor, "--create"])
            .arg("--file")
            .arg(archive)
            .arg("--directory")
            .arg(parent)
            .arg(name);
        process::run("tar", &mut tar, Output::Shown)
    }
}

/// Packs the program with everything that it needs besides PostgreSQL, in the layout of `/usr`.
pub(super) fn pack_program(
    checkout: &Checkout,
    release: &Release,
    program: &Path,
    packer: &Packer,
) -> anyhow::Result<()> {
    let stage = tempfile::tempdir()?;
    let root = stage.path().join(release.name());
    let documents = root.join("share/doc/cityguide");
    for folder in ["bin", "share/cityguide", "share/doc/cityguide/sbom"] {
        fs::create_dir_all(root.join(folder))?;
    }
    // Symbols of functions remain in a released program for its backtraces; a debug build's information would take
    // most of a dry run's time.
    let mut strip = Command::new("strip");
    strip.arg("--strip-debug").arg("-o");
    strip.arg(root.join("bin/cityguide")).arg(program);
    process::run("strip", &mut strip, Output::Shown)?;
    for (source, name) in [("web/dist", "web"), ("deploy/sites", "sites")] {
        copy_folder(
            &checkout.path(source),
            &root.join("share/cityguide").join(name),
        )?;
    }
    fs::copy(
        AUTHORITIES,
        root.join("share/cityguide/ca-certificates.crt"),
    )
    .context(AUTHORITIES)?;
    for document in DOCUMENTS {
        let path = checkout.path(document);
        let name = path.file_name().context("a file")?;
        fs::copy(&path, documents.join(name))?;
    }
    for (note, folder) in [
        (changes::CHANGELOG, ""),
        ("UPGRADING.md", ""),
        ("program.cdx.json", "sbom"),
        ("web.cdx.json", "sbom"),
    ] {
        let copy = documents.join(folder).join(note);
        fs::copy(release.folder.join(note), copy)?;
    }
    packer.pack(&root, &release.archive())
}

/// Packs the chart, which runs the image of the same version.
pub(super) fn pack_chart(
    checkout: &Checkout,
    release: &Release,
    packer: &Packer,
) -> anyhow::Result<()> {
    let stage = tempfile::tempdir()?;
    let root = stage.path().join("cityguide");
    for file in layout::tracked(checkout)? {
        let inner = file.strip_prefix(CHART);
        // Only the chart's tests read `ci/`.
        let Some(inner) = inner.filter(|inner| !inner.starts_with("ci/")) else {
            continue;
        };
        let copy = root.join(inner);
        fs::create_dir_all(copy.parent().context("a folder")?)?;
        fs::copy(checkout.path(&file), copy)?;
    }
    let manifest = root.join("Chart.yaml");
    let text = fs::read_to_string(&manifest)?;
    fs::write(manifest, with_version(&text, &release.version))?;
    packer.pack(&root, &release.chart())
}

/// The chart's manifest with this version of the chart and of the program.
fn with_version(manifest: &str, version: &str) -> String {
    let lines = manifest.lines().map(|line| match line.split_once(':') {
        Some((key @ ("version" | "appVersion"), _)) => format!("{key}: {version}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Builds the last stage of the image around the packed program, as an archive of an OCI image. Debian: buildah.
pub(super) fn pack_image(checkout: &Checkout, release: &Release, base: &str) -> anyhow::Result<()> {
    let stage = tempfile::tempdir()?;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(release.archive());
    tar.arg("--directory").arg(stage.path());
    process::run("tar", &mut tar, Output::Shown)?;
    let image = format!("localhost/cityguide:{}", release.version);
    let mut build = Command::new("buildah");
    build
        .args(["bud", "--target", "runtime", "--tag", &image, "--file"])
        .arg(checkout.path("deploy/docker/Dockerfile"))
        .arg("--ignorefile")
        .arg(checkout.path("deploy/docker/Dockerfile.dockerignore"))
        .args(["--build-arg", &format!("RUNTIME_BASE={base}")])
        .args(["--build-arg", &format!("VERSION={}", release.version)])
        .arg("--build-context")
        .arg(format!(
            "files={}",
            stage.path().join(release.name()).display()
        ))
        .arg(&checkout.root);
    let archive = release
        .folder
        .join(format!("cityguide-{}-image.tar", release.version));
    process::run("buildah bud", &mut build, Output::Shown)?;
    let mut push = Command::new("buildah");
    push.args(["push", &image])
        .arg(format!("oci-archive:{}", archive.display()));
    process::run("buildah push", &mut push, Output::Shown)
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    let mut copy = Command::new("cp");
    copy.arg("--recursive").arg(from).arg(to);
    process::run("cp", &mut copy, Output::Shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_of_the_same_files_has_the_same_bytes() {
        let stage = tempfile::tempdir().unwrap();
        let packer = Packer::new("1700000000".to_owned(), true);
        let [one, other] = ["one", "other"].map(|name| {
            let folder = stage.path().join(name).join("cityguide");
            fs::create_dir_all(&folder).unwrap();
            // Created in another order, at another time, with other permissions.
            let files = if name == "one" {
                ["a", "b"]
            } else {
                ["b", "a"]
            };
            for file in files {
                fs::write(folder.join(file), file).unwrap();
            }
            if name == "other" {
                let mut private = fs::metadata(folder.join("a")).unwrap().permissions();
                std::os::unix::fs::PermissionsExt::set_mode(&mut private, 0o600);
                fs::set_permissions(folder.join("a"), private).unwrap();
            }
            let archive = stage.path().join(format!("{name}.tar.gz"));
            packer.pack(&folder, &archive).unwrap();
            fs::read(archive).unwrap()
        });
        assert_eq!(one, other);
    }

    #[test]
    fn the_chart_gets_the_version() {
        assert_eq!(
            with_version(
                "name: cityguide\nversion: 0.1.0\nappVersion: 0.1.0\n",
                "1.2.3"
            ),
            "name: cityguide\nversion: 1.2.3\nappVersion: 1.2.3\n"
        );
    }
}
