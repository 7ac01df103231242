//! PostgreSQL refuses to run as root, and nginx should not run as root. Under root, as in many containers and CI
//! machines, the programs run as another user: in a user namespace if the kernel allows it, otherwise as the account
//! `nobody`.

use std::{path::Path, process::Command};

use anyhow::{Context, bail};
use nix::unistd::{Gid, Uid, chown, geteuid};

use crate::process;

const NOBODY: u32 = 65534;

/// How to start programs without privileges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unprivileged {
    /// The current user, who is not root.
    Ourselves,
    /// Root, mapped to user 1000 in a user namespace; files still belong to root, so any folder can be used.
    Namespace,
    /// The account `nobody`, which must be able to enter the folders.
    Nobody,
}

/// Chooses an account that can access `programs`.
pub fn account(programs: &Path) -> anyhow::Result<Unprivileged> {
    if !geteuid().is_root() {
        return Ok(Unprivileged::Ourselves);
    }
    if process::succeeds(&mut Unprivileged::Namespace.command(Path::new("true"))) {
        return Ok(Unprivileged::Namespace);
    }
    let mut test = Unprivileged::Nobody.command(Path::new("test"));
    if process::succeeds(test.arg("-x").arg(programs)) {
        return Ok(Unprivileged::Nobody);
    }
    bail!(
        "PostgreSQL does not run as root, and the account nobody cannot enter {}: \
         work as an ordinary user, move the checkout, or set DATABASE_URL",
        programs.display()
    )
}

impl Unprivileged {
    /// Returns a command that runs the program without privileges.
    #[must_use]
    pub fn command(self, program: &Path) -> Command {
        let (through, arguments): (&str, &[&str]) = match self {
            Self::Ourselves => return Command::new(program),
            // Both commands replace themselves with the program, so that the process id is the program's.
            Self::Namespace => (
                "unshare",
                &["--user", "--map-user=1000", "--map-group=1000"],
            ),
            Self::Nobody => (
                "setpriv",
                &["--reuid=65534", "--regid=65534", "--clear-groups"],
            ),
        };
        let mut command = Command::new(through);
        command.args(arguments).arg(program);
        command
    }

    /// Hands a folder or file to the account.
    pub fn give(self, path: &Path) -> anyhow::Result<()> {
        if self == Self::Nobody {
            chown(
                path,
                Some(Uid::from_raw(NOBODY)),
                Some(Gid::from_raw(NOBODY)),
            )
            .with_context(|| format!("{} cannot be given to nobody", path.display()))?;
        }
        Ok(())
    }
}
