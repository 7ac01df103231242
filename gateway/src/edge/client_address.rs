//! The address of a request's client. `X-Forwarded-For` is accepted only from trusted proxies, because anyone can send
//! the header.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use chassis::network::Network;
use http::HeaderMap;
use ipnet::IpNet;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Prefix lengths of IPv6 networks that may belong to a single client, each with a multiple of a client's tokens. A
/// client with an address in a 64-bit network has all of its addresses, and providers assign 56-bit and 48-bit networks
/// to customers (RFC 6177).
const IPV6_NETWORKS: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// Returns the client's address: the peer's or, if the peer is a trusted proxy, the last forwarded address that is not
/// a trusted proxy. Earlier entries are client-supplied and are ignored, as are all entries before an invalid address.
pub(super) fn client_address(peer: SocketAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_ours = |address| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.ip().to_canonical();
    for line in headers.get_all(FORWARDED_FOR).iter().rev() {
        for entry in String::from_utf8_lossy(line.as_bytes()).rsplit(',') {
            if !is_ours(client) {
                return client;
            }
            match parse(entry.trim()) {
                Some(address) => client = address,
                None => return client,
            }
        }
    }
    client
}

/// Parses an address; some proxies add a port.
fn parse(entry: &str) -> Option<IpAddr> {
    let bracketed = || {
        entry
            .strip_prefix('[')?
            .strip_suffix(']')?
            .parse::<Ipv6Addr>()
            .ok()
    };
    let address = entry
        .parse::<IpAddr>()
        .or_else(|_| entry.parse::<SocketAddr>().map(|address| address.ip()))
        .ok()
        .or_else(|| bracketed().map(IpAddr::V6))?;
    Some(address.to_canonical())
}

/// An address or network that is rate limited as one or several clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) name: String,
    /// Multiple of a single client's tokens.
    pub(super) times: u32,
}

/// Returns the addresses that a client is counted under: its IPv4 address, or its IPv6 networks, smallest first.
pub(super) fn counted(address: IpAddr) -> Vec<Counted> {
    match address {
        IpAddr::V4(address) => vec![Counted {
            name: address.to_string(),
            times: 1,
        }],
        IpAddr::V6(address) => IPV6_NETWORKS
            .into_iter()
            .map(|(bits, times)| {
                let host: u128 = !0 >> bits;
                let network = Ipv6Addr::from(u128::from(address) & !host);
                let name = format!("{network}/{bits}");
                Counted { name, times }
            })
            .collect(),
    }
}

/// Prefix lengths of the network that identifies the source of votes: a typical customer assignment, or addresses that
/// a provider shares among neighbours.
const SOURCE_BITS_IPV4: u8 = 24;
const SOURCE_BITS_IPV6: u8 = 48;

/// Returns the network of an address: `203.0.113.0/24`, `2001:db8::/48`.
pub(super) fn network(address: IpAddr) -> String {
    let bits = match address {
        IpAddr::V4(_) => SOURCE_BITS_IPV4,
        IpAddr::V6(_) => SOURCE_BITS_IPV6,
    };
    IpNet::new_assert(address, bits).trunc().to_string()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn seen(peer: &str, lines: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(
                FORWARDED_FOR,
                HeaderValue::from_bytes(line.as_bytes()).expect("a header"),
            );
        }
        let trusted: Vec<Network> = trusted
            .iter()
            .map(|network| network.parse().expect("a network"))
            .collect();
        let peer = SocketAddr::new(peer.parse().expect("an address"), 5000);
        client_address(peer, &headers, &trusted).to_string()
    }

    #[test]
    fn an_address_is_in_the_network_that_neighbours_share() {
        for (address, expected) in [
            ("203.0.113.9", "203.0.113.0/24"),
            ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ] {
            let address = address.parse().expect("an address");
            assert_eq!(network(address), expected);
        }
    }

    #[test]
    fn a_header_from_anyone_else_is_not_read() {
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        let trusted = &["10.0.0.0/8"];
        assert_eq!(
            seen("203.0.113.9", &["198.51.100.1"], trusted),
            "203.0.113.9"
        );
        assert_eq!(seen("203.0.113.9", &["10.0.0.1"], trusted), "203.0.113.9");
    }

    #[test]
    fn the_last_address_that_is_no_proxy_of_ours_is_the_client() {
        let trusted = &["10.0.0.0/8", "fd00::/8", "192.0.2.7"];
        for (lines, expected) in [
            (&[][..], "10.0.0.1"),
            (&["203.0.113.9"], "203.0.113.9"),
            // Entries that the client itself sent are first.
            (&["1.1.1.1, 127.0.0.1, 203.0.113.9"], "203.0.113.9"),
            (
                &["1.1.1.1,203.0.113.9 , 10.2.3.4, 192.0.2.7"],
                "203.0.113.9",
            ),
            (&["1.1.1.1", "203.0.113.9", "10.2.3.4"], "203.0.113.9"),
            (&["10.9.9.9, 10.2.3.4"], "10.9.9.9"),
            (&["2001:db8::1, fd00::2"], "2001:db8::1"),
            (&["203.0.113.9:4711"], "203.0.113.9"),
            (&["[2001:db8::1]:4711"], "2001:db8::1"),
            (&["[2001:db8::1]"], "2001:db8::1"),
            (&["::ffff:203.0.113.9"], "203.0.113.9"),
            (&["\u{fc}ber, 203.0.113.9"], "203.0.113.9"),
        ] {
            assert_eq!(seen("10.0.0.1", lines, trusted), expected, "{lines:?}");
            assert_eq!(
                seen("::ffff:10.0.0.1", lines, trusted),
                expected,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn nothing_is_read_beyond_an_entry_that_is_no_address() {
        let trusted = &["10.0.0.0/8"];
        for lines in [
            &["nonsense"][..],
            &["203.0.113.9, unknown"],
            &["203.0.113.9,"],
            &["203.0.113.9, 10.0.0.1:x"],
            &["203.0.113.9, \u{fc}"],
            &[""],
        ] {
            assert_eq!(seen("10.0.0.1", lines, trusted), "10.0.0.1", "{lines:?}");
        }
        assert_eq!(
            seen("10.0.0.1", &["203.0.113.9, nonsense, 10.2.3.4"], trusted),
            "10.2.3.4"
        );
    }

    #[test]
    fn a_client_counts_as_its_address_or_as_its_networks() {
        let names = |text: &str| {
            let counted = counted(text.parse().expect("an address"));
            let named = counted.into_iter().map(|one| (one.name, one.times));
            named.collect::<Vec<_>>()
        };
        let of = |name: &str, times| (name.to_owned(), times);
        assert_eq!(names("203.0.113.9"), [of("203.0.113.9", 1)]);
        let expected = [
            of("2001:db8:1:203::/64", 1),
            of("2001:db8:1:200::/56", 4),
            of("2001:db8:1::/48", 16),
        ];
        assert_eq!(names("2001:db8:1:203:4:5:6:7"), expected);
        assert_eq!(names("2001:db8:1:203:ffff::"), expected);
        assert_ne!(names("2001:db8:1:204::1")[0], expected[0]);
        assert_eq!(names("2001:db8:1:204::1")[1..], expected[1..]);
    }

    #[test]
    fn a_network_is_read_as_it_is_written() {
        for text in ["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"] {
            assert_eq!(text.parse::<Network>().expect(text).to_string(), text);
        }
        assert_eq!(
            "::1".parse::<Network>().expect("one").to_string(),
            "::1/128"
        );
        for text in ["", "10.0.0.0/33", "localhost", "10.0.0.0/", "10.0.0"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
