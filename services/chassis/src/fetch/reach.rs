//! The permitted addresses: the public internet, and the networks named in the settings.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::network::Network;

/// The private networks that may be reached.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach(Arc<[Network]>);

impl Reach {
    pub(super) fn new(private: &[Network]) -> Self {
        Self(private.into())
    }

    fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public(address) || self.0.iter().any(|network| network.contains(address))
    }

    /// Refuses a URL that is not http(s) or that contains a forbidden IP address. Host names are checked when they are
    /// resolved, because a name may resolve to another address a moment later.
    pub(super) fn check(&self, url: &Url) -> Result<(), String> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("{} is not read, but http and https", url.scheme()));
        }
        let address: IpAddr = match url.host() {
            Some(Host::Domain(_)) => return Ok(()),
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
            None => return Err("it has no host".to_owned()),
        };
        if self.has(address) {
            Ok(())
        } else {
            Err(refusal(&address.to_string()))
        }
    }
}

fn refusal(host: &str) -> String {
    format!("{host} is no address of the public internet")
}

impl Resolve for Reach {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let reached: Vec<SocketAddr> =
                found.filter(|address| reach.has(address.ip())).collect();
            if reached.is_empty() {
                return Err(io::Error::other(refusal(name.as_str())).into());
            }
            let addresses: Addrs = Box::new(reached.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address is on the public internet, according to IANA's registries of special-purpose addresses (RFC
/// 6890).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224.., _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // An IPv4 address behind a translator (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
        }
        // Addresses for protocols, IPv4 tunnels and documentation within the range of public addresses.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_reached() {
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "100::1",
            "fec0::1",
        ] {
            let parsed: IpAddr = address.parse().expect("an address");
            assert!(!Reach::default().has(parsed), "{address}");
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::808:808",
            "::ffff:8.8.8.8",
        ] {
            let parsed: IpAddr = address.parse().expect("an address");
            assert!(Reach::default().has(parsed), "{address}");
        }
    }

    #[test]
    fn an_address_is_refused_however_it_is_written_unless_the_settings_name_it() {
        let check = |reach: &Reach, url: &str| reach.check(&Url::parse(url).expect("an address"));
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:169.254.169.254]/",
            "http://169.254.169.254/latest/",
            "ftp://a.example/",
            "file:///etc/passwd",
        ] {
            assert!(check(&Reach::default(), url).is_err(), "{url}");
        }
        assert_eq!(check(&Reach::default(), "https://a.example/"), Ok(()));
        let inside = Reach::new(&["10.1.0.0/16".parse().expect("a network")]);
        assert_eq!(check(&inside, "http://10.1.2.3/"), Ok(()));
        assert_eq!(check(&inside, "http://[::ffff:10.1.2.3]/"), Ok(()));
        assert!(check(&inside, "http://10.2.0.1/").is_err());
    }

    #[tokio::test]
    async fn a_name_stands_for_the_addresses_that_may_be_reached() {
        let name = || "localhost".parse().expect("a name");
        let error = Reach::default()
            .resolve(name())
            .await
            .err()
            .expect("refused");
        assert_eq!(
            error.to_string(),
            "localhost is no address of the public internet"
        );
        let local = Reach::new(&["127.0.0.0/8".parse().expect("a network")]);
        let found: Vec<SocketAddr> = local.resolve(name()).await.expect("resolved").collect();
        assert!(!found.is_empty() && found.iter().all(SocketAddr::is_ipv4));
    }
}
