//! Limits the open connections of each client.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chassis::network::Network;
use gateway::HttpSettings;
use metrics::Counter;

/// The open connections of each client, of which there are at most `http.max_connections`.
#[derive(Clone)]
pub(crate) struct PerClient {
    most: usize,
    proxies: Arc<[Network]>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
    refused: Counter,
}

/// A client's connection, until it is dropped.
pub(super) struct Connected {
    client: IpAddr,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl PerClient {
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        let refused = metrics::counter!("http_connections_refused_total");
        // Registers the counter at 0 before the first refusal.
        refused.increment(0);
        Self {
            most: settings.max_connections_per_client,
            proxies: settings.trusted_proxies.as_slice().into(),
            open: Arc::default(),
            refused,
        }
    }

    /// Counts a connection; `Err` if its client has too many. Connections of trusted proxies are not counted.
    pub(super) fn connect(&self, peer: IpAddr) -> Result<Option<Connected>, ()> {
        let peer = peer.to_canonical();
        if self.proxies.iter().any(|network| network.contains(peer)) {
            return Ok(None);
        }
        let client = client_of(peer);
        let mut open = lock(&self.open);
        let connections = open.entry(client).or_default();
        if *connections >= self.most {
            self.refused.increment(1);
            return Err(());
        }
        *connections += 1;
        Ok(Some(Connected {
            client,
            open: Arc::clone(&self.open),
        }))
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Entry::Occupied(mut connections) = lock(&self.open).entry(self.client) {
            *connections.get_mut() -= 1;
            if *connections.get() == 0 {
                connections.remove();
            }
        }
    }
}

/// A client with an IPv6 address has the whole 64-bit network.
fn client_of(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(peer) => Ipv6Addr::from_bits(peer.to_bits() >> 64 << 64).into(),
    }
}

fn lock(open: &Mutex<HashMap<IpAddr, usize>>) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_client_has_few_connections_and_a_proxy_any_number() {
        let clients = PerClient {
            most: 2,
            proxies: Arc::new(["10.0.0.0/8".parse().expect("a network")]),
            open: Arc::default(),
            refused: Counter::noop(),
        };
        let connect = |text: &str| clients.connect(address(text));
        let mut first = vec![connect("192.0.2.1"), connect("::ffff:192.0.2.1")];
        assert!(first.iter().all(Result::is_ok));
        assert!(connect("192.0.2.1").is_err());
        assert!(connect("192.0.2.2").is_ok());
        let network = [connect("2001:db8::1"), connect("2001:db8::ffff:0:0:1")];
        assert!(network.iter().all(Result::is_ok));
        assert!(connect("2001:db8::2").is_err());
        assert!(connect("2001:db8:0:1::1").is_ok());
        let proxied: Vec<_> = (0..9).map(|_| connect("10.1.2.3")).collect();
        assert!(proxied.iter().all(Result::is_ok));

        first.pop();
        assert!(connect("192.0.2.1").is_ok());
        drop((first, network, proxied));
        assert!(lock(&clients.open).is_empty());
    }
}
