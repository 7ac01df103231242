//! The registry of targets: the one place that names what a process can run.

use std::str::FromStr;

use bookmarks::Bookmarks;
use chassis::{
    error::Fault,
    postgres::Schema,
    role::{Parts, Role},
    rpc::Transport,
};
use editorial::Editorial;
use identity::Identity;
use places::Places;

use crate::settings::Settings;

/// Something that a process can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Accounts and sessions.
    Identity,
    /// The places of the city.
    Places,
    /// Readers' bookmarks.
    Bookmarks,
    /// Articles, events, contests, videos and pages.
    Editorial,
    /// The HTTP edge.
    Gateway,
}

impl Target {
    /// Every target; services come before their callers.
    pub const ALL: [Self; 5] = [
        Self::Identity,
        Self::Places,
        Self::Bookmarks,
        Self::Editorial,
        Self::Gateway,
    ];

    /// As `--target` and `[services.<name>]` write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Places => "places",
            Self::Bookmarks => "bookmarks",
            Self::Editorial => "editorial",
            Self::Gateway => "gateway",
        }
    }

    /// Makes the service of a target; `None` for the gateway, which is not a service. `transport` connects
    /// to another service.
    pub(crate) async fn create(
        self,
        parts: Parts,
        settings: &Settings,
        transport: impl Fn(Self) -> Result<Transport, Fault>,
    ) -> Result<Option<Box<dyn Role>>, Fault> {
        Ok(match self {
            Self::Identity => Some(Box::new(Identity::create(parts).await?)),
            Self::Places => Some(Box::new(Places::create(parts).await?)),
            Self::Bookmarks => Some(Box::new(
                Bookmarks::create(parts, transport(Self::Places)?).await?,
            )),
            Self::Editorial => Some(Box::new(
                Editorial::create(parts, &settings.editorial()).await?,
            )),
            Self::Gateway => None,
        })
    }

    /// The target's schema; the gateway has none.
    #[must_use]
    pub fn schema(self) -> Option<&'static Schema<'static>> {
        match self {
            Self::Identity => Some(&identity::SCHEMA),
            Self::Places => Some(&places::SCHEMA),
            Self::Bookmarks => Some(&bookmarks::SCHEMA),
            Self::Editorial => Some(&editorial::SCHEMA),
            Self::Gateway => None,
        }
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|target| target.name() == text)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join(", ");
                format!("there is no target {text:?}; there are {names}")
            })
    }
}
