//! The registry of targets that a process can run. `cityguide targets` prints it for the deployments, which are
//! generated from it.

use std::str::FromStr;

use chassis::{
    error::Fault,
    postgres::Schema,
    role::{Callees, Parts, Role, Service},
    rpc::Transport,
};
use cityguide_proto::Contract;
use serde::Serialize;

use crate::settings::Settings;

/// Generates the enum of targets from a line per service. Services precede their callers.
macro_rules! targets {
    ($($(#[$doc:meta])* $target:ident = $service:ty),* $(,)?) => {
        /// A target that a process can run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Target {
            $($(#[$doc])* $target,)*
            /// The HTTP edge.
            Gateway,
        }

        impl Target {
            /// All targets; services precede their callers.
            pub const ALL: &[Self] = &[$(Self::$target,)* Self::Gateway];

            /// Returns the target's schema; the gateway has none.
            #[must_use]
            pub const fn schema(self) -> Option<&'static Schema<'static>> {
                match self {
                    $(Self::$target => Some(<$service>::SCHEMA),)*
                    Self::Gateway => None,
                }
            }

            /// Returns the calls that the target serves; the gateway has none.
            pub(crate) const fn contract(self) -> Contract {
                match self {
                    $(Self::$target => <$service>::CONTRACT,)*
                    Self::Gateway => Contract::new(&[]),
                }
            }

            /// Returns the names of the services that the target calls; the gateway calls all.
            pub(crate) fn calls(self) -> Vec<&'static str> {
                match self {
                    $(Self::$target => <$service>::CALLS.to_vec(),)*
                    Self::Gateway => vec![$(<$service>::SCHEMA.name),*],
                }
            }

            /// Whether the target reads or writes blobs; the gateway serves them.
            pub(crate) fn uses_blobs(self) -> bool {
                match self {
                    $(Self::$target => <$service>::USES_BLOBS,)*
                    Self::Gateway => true,
                }
            }

            fn sends_mail(self) -> bool {
                match self {
                    $(Self::$target => <$service>::SENDS_MAIL,)*
                    Self::Gateway => false,
                }
            }

            fn reads_site_file(self) -> bool {
                match self {
                    $(Self::$target => <$service>::READS_SITE_FILE,)*
                    Self::Gateway => true,
                }
            }

            fn calls_third_parties(self) -> bool {
                match self {
                    $(Self::$target => <$service>::CALLS_THIRD_PARTIES,)*
                    Self::Gateway => false,
                }
            }

            /// Creates the service of a target; `None` for the gateway, which is not a service.
            pub(crate) async fn create(
                self,
                parts: Parts,
                settings: &Settings,
                callees: Callees,
            ) -> Result<Option<Box<dyn Role>>, Fault> {
                Ok(match self {
                    $(Self::$target => {
                        Some(Box::new(<$service>::create(parts, settings.into(), callees).await?))
                    })*
                    Self::Gateway => None,
                })
            }
        }
    };
}

// A service follows the services that it calls.
targets! {
    /// The places of the city.
    Places = places::Places,
    /// Articles, events, contests, videos and pages.
    Editorial = editorial::Editorial,
    /// Readers' photos of places.
    Photos = photos::Photos,
    /// Readers' saved objects.
    Bookmarks = bookmarks::Bookmarks,
    /// Ads.
    Ads = ads::Ads,
    /// Newsletters.
    Newsletters = newsletters::Newsletters,
    /// Accounts and sessions.
    Identity = identity::Identity,
}

impl Target {
    /// Returns the target's name in `--target` and `[services.<name>]`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.schema() {
            Some(schema) => schema.name,
            None => "gateway",
        }
    }

    /// Returns the transports to the services that the target calls.
    pub(crate) fn callees(
        self,
        transport: impl Fn(Self) -> Result<Transport, Fault>,
    ) -> Result<Callees, Fault> {
        let callees = Self::ALL
            .iter()
            .filter(|other| self.calls().contains(&other.name()));
        callees
            .map(|other| Ok((other.name(), transport(*other)?)))
            .collect()
    }

    /// Returns the facts that deployments need.
    pub(crate) fn wiring(self) -> Wiring {
        let is_service = self.schema().is_some();
        let stores = [
            ("database", is_service),
            ("bus", true),
            ("cache", true),
            ("blobs", self.uses_blobs()),
            ("mail", self.sends_mail()),
            ("thirdParties", self.calls_third_parties()),
            ("erasures", self == Self::Identity),
        ];
        Wiring {
            name: self.name(),
            calls: self.calls(),
            stores: stores
                .into_iter()
                .filter(|(_, uses)| *uses)
                .map(|(store, _)| store)
                .collect(),
            reads_site_file: self.reads_site_file(),
            public: !is_service,
        }
    }
}

/// Facts about a target that deployments need.
#[derive(Debug, Serialize)]
pub(crate) struct Wiring {
    name: &'static str,
    /// Services that the target calls.
    calls: Vec<&'static str>,
    /// Servers and folders that the target uses.
    stores: Vec<&'static str>,
    /// Whether the target reads the site's file.
    reads_site_file: bool,
    /// Whether the target serves the public.
    public: bool,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|target| target.name() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|target| target.name()).collect();
            format!(
                "there is no target {text:?}; there are {}",
                names.join(", ")
            )
        })
    }
}
