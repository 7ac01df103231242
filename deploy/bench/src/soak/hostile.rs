//! Hostile visitors: each invents something that a careless server would keep.

use std::time::Duration;

use anyhow::{Context, anyhow};
use futures::FutureExt;
use http::{Method, Request};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Kind, LET_GO_WITHIN, PATIENCE, Visit, raw, tally::CLOSED};

type Visited = anyhow::Result<()>;

pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "unknown methods",
        share: 600,
        visit: |visit| method(visit).boxed(),
    },
    Kind {
        name: "wrong passwords from everywhere",
        share: 2,
        visit: |visit| guess(visit).boxed(),
    },
    Kind {
        name: "wrong passwords from one address",
        share: 100,
        visit: |visit| guess_again(visit).boxed(),
    },
    Kind {
        name: "half a head",
        share: 60,
        visit: |visit| half_a_head(visit).boxed(),
    },
    Kind {
        name: "slow readers",
        share: 30,
        visit: |visit| slow_reader(visit).boxed(),
    },
    Kind {
        name: "clients that leave",
        share: 100,
        visit: |visit| leave(visit).boxed(),
    },
    Kind {
        name: "bodies that are refused",
        share: 100,
        visit: |visit| refused_body(visit).boxed(),
    },
    Kind {
        name: "nonsense as JSON",
        share: 150,
        visit: |visit| nonsense(visit).boxed(),
    },
    Kind {
        name: "oversized heads",
        share: 60,
        visit: |visit| oversized(visit).boxed(),
    },
    Kind {
        name: "no HTTP",
        share: 60,
        visit: |visit| no_http(visit).boxed(),
    },
    Kind {
        name: "forged sessions",
        share: 300,
        visit: |visit| forged_session(visit).boxed(),
    },
    Kind {
        name: "requests that are reset",
        share: 30,
        visit: |visit| reset(visit).boxed(),
    },
    Kind {
        name: "the internal port",
        share: 200,
        visit: |visit| internal(visit).boxed(),
    },
];

/// Where services answer each other.
pub(super) const AMONG_SERVICES: Kind = Kind {
    name: "unknown calls",
    share: 100,
    visit: |visit| call(visit).boxed(),
};

/// Requests on one connection of HTTP/2.
const AT_ONCE: u64 = 8;

async fn method(visit: Visit) -> Visited {
    let method = Method::from_bytes(format!("AAA{}", visit.number).as_bytes())?;
    let paths = ["/", "/api/v2/listings/", "/restaurants/", "/media/x.jpg"];
    let path = visit.pick(&paths).copied().unwrap_or_default();
    let request = visit.load.client.request(method, visit.url(path));
    visit.fetch(request, &[405]).await
}

impl Visit {
    async fn try_password(&self, email: &str, address: &str, expected: &[u16]) -> Visited {
        let request = self
            .load
            .client
            .post(self.url("/api/v2/profiles/email-login/"));
        let body = json!({"email": email, "password": self.word()});
        let request = request.header("x-forwarded-for", address).json(&body);
        self.fetch(request, expected).await
    }
}

async fn guess(visit: Visit) -> Visited {
    let email = format!("{}@example.com", visit.word());
    visit.try_password(&email, &visit.address(), &[400]).await
}

async fn guess_again(visit: Visit) -> Visited {
    let expected = &[400, 429];
    visit
        .try_password("ada@example.com", "203.0.113.9", expected)
        .await
}

async fn half_a_head(visit: Visit) -> Visited {
    let site = visit.load.plan.site.clone();
    let head = format!("GET /{} HTTP/1.1\r\nhost: site\r\nx-a: ", visit.word());
    // Some wait for as long as they are let, the others leave.
    if visit.number.is_multiple_of(2) {
        return visit
            .send(&site, &[head.as_bytes()], Duration::ZERO, &[408])
            .await;
    }
    let mut stream = raw::connect(&site).await?;
    stream.write_all(head.as_bytes()).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    visit.load.tally.note(visit.kind, CLOSED, &[CLOSED], "");
    Ok(())
}

/// Asks for more than the kernel buffers and reads nothing, until the site closes the connection.
async fn slow_reader(visit: Visit) -> Visited {
    let stream = raw::connect(&visit.load.plan.site).await?;
    let request = "GET /api/v2/openapi.json HTTP/1.1\r\nhost: site\r\n\r\n";
    let (_unread, mut write) = stream.into_split();
    let asking = async {
        while write.write_all(request.as_bytes()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ended = tokio::time::timeout(LET_GO_WITHIN, asking).await;
    ended.context("a client that reads nothing is not let go")?;
    visit.load.tally.note(visit.kind, CLOSED, &[CLOSED], "");
    Ok(())
}

/// Leaves in the middle of an answer.
async fn leave(visit: Visit) -> Visited {
    let mut stream = raw::connect(&visit.load.plan.site).await?;
    let path = format!(
        "/api/v2/listings/?limit=100&keywords={}",
        visit.number % 100
    );
    let request = format!("GET {path} HTTP/1.1\r\nhost: site\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    if visit.number.is_multiple_of(2) {
        let mut begun = [0; 64];
        let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut begun)).await;
        read.context("no answer begins")??;
    }
    visit.load.tally.note(visit.kind, CLOSED, &[CLOSED], "");
    Ok(())
}

async fn refused_body(visit: Visit) -> Visited {
    let site = visit.load.plan.site.clone();
    let length = if visit.number.is_multiple_of(2) {
        5_000_000
    } else {
        100_000
    };
    let paths = ["contact", "favourites", "profiles/email-login"];
    let path = visit.pick(&paths).copied().unwrap_or_default();
    let head = format!(
        "POST /api/v2/{path}/ HTTP/1.1\r\nhost: site\r\nx-forwarded-for: {}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n",
        visit.address()
    );
    let body = vec![b' '; length];
    let parts = [head.as_bytes(), &body];
    // A site that closes at once may reset the connection before its answer is read.
    visit
        .send(&site, &parts, Duration::ZERO, &[401, 413, CLOSED])
        .await
}

async fn nonsense(visit: Visit) -> Visited {
    let bodies = [
        "{".to_owned(),
        "[".repeat(5_000),
        format!("{{\"{}\": NaN}}", visit.word()),
        format!("{{\"{}\": 1}}", visit.word()),
    ];
    let body = visit.pick(&bodies).cloned().unwrap_or_default();
    let paths = ["contact", "profiles/email-registration"];
    let path = visit.pick(&paths).copied().unwrap_or_default();
    let request = visit
        .load
        .client
        .post(visit.url(&format!("/api/v2/{path}/")));
    let request = request
        .header("x-forwarded-for", visit.address())
        .header("content-type", "application/json")
        .header("idempotency-key", visit.word())
        .body(body);
    visit.fetch(request, &[400]).await
}

async fn oversized(visit: Visit) -> Visited {
    let site = visit.load.plan.site.clone();
    let head = if visit.number.is_multiple_of(2) {
        let headers: Vec<_> = (0..200)
            .map(|at| format!("x-{at}: {}\r\n", visit.word()))
            .collect();
        let headers = headers.concat();
        format!("GET / HTTP/1.1\r\nhost: site\r\n{headers}\r\n")
    } else {
        format!(
            "GET / HTTP/1.1\r\nhost: site\r\nx: {}\r\n\r\n",
            "a".repeat(1 << 20)
        )
    };
    visit
        .send(&site, &[head.as_bytes()], Duration::ZERO, &[431, CLOSED])
        .await
}

async fn no_http(visit: Visit) -> Visited {
    let site = visit.load.plan.site.clone();
    let word = visit.word();
    let texts = [
        format!("\x16\x03\x01{word}\r\n\r\n"),
        format!("HELLO {word}\r\n\r\n"),
        format!("GET /{word}\r\n\r\n"),
        format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{word} no frames are these"),
    ];
    let text = visit.pick(&texts).cloned().unwrap_or_default();
    visit
        .send(&site, &[text.as_bytes()], Duration::ZERO, &[400, CLOSED])
        .await
}

async fn forged_session(visit: Visit) -> Visited {
    let paths = [
        "favourites",
        "profiles/me",
        "profiles/hi",
        "profiles/hi/stream",
    ];
    let path = visit.pick(&paths).copied().unwrap_or_default();
    let request = visit
        .load
        .client
        .get(visit.url(&format!("/api/v2/{path}/")));
    let request = request
        .header("cookie", format!("session={}", visit.word()))
        .header("x-profile-id", visit.number);
    visit.fetch(request, &[401]).await
}

/// Many requests on one connection of HTTP/2, each taken back.
async fn reset(visit: Visit) -> Visited {
    let stream = raw::connect(&visit.load.plan.site).await?;
    let (mut client, connection) = h2::client::handshake(stream).await?;
    let talking = tokio::spawn(connection);
    for at in 0..AT_ONCE {
        let uri = format!(
            "http://site/api/v2/listings/?keywords={}x{at}",
            visit.word()
        );
        let request = Request::get(uri).body(())?;
        let (answer, mut sent) = client.clone().ready().await?.send_request(request, true)?;
        if at.is_multiple_of(2) {
            sent.send_reset(h2::Reason::CANCEL);
        } else {
            let answer = tokio::time::timeout(PATIENCE, answer).await??;
            let status = answer.status().as_u16();
            visit.load.tally.note(visit.kind, status, &[200], "HTTP/2");
        }
    }
    client = client.ready().await?;
    drop(client);
    talking.await?.or_else(|error| {
        if error.is_io() {
            Ok(())
        } else {
            Err(error.into())
        }
    })
}

async fn internal(visit: Visit) -> Visited {
    let internal = &visit.load.plan.internal;
    let address = visit.pick(internal).context("no internal port")?;
    let word = visit.word();
    let (method, path) = match visit.number % 3 {
        0 => (
            Method::from_bytes(format!("AAA{}", visit.number).as_bytes())?,
            "/health/live".to_owned(),
        ),
        1 => (Method::GET, format!("/{word}")),
        _ => (Method::GET, format!("/health/live?{word}")),
    };
    let url = format!("http://{address}{path}");
    let request = visit.load.client.request(method, url);
    visit.fetch(request, &[200, 404, 405]).await
}

/// Calls that no contract has, without a caller token.
async fn call(visit: Visit) -> Visited {
    let address = visit.pick(&visit.load.plan.rpc).context("no service")?;
    let stream = raw::connect(address).await?;
    let (client, connection) = h2::client::handshake(stream).await?;
    let talking = tokio::spawn(connection);
    for at in 0..AT_ONCE {
        let uri = format!(
            "http://{address}/cityguide.places.v1.Places/{}x{at}",
            visit.word()
        );
        let request = Request::post(uri)
            .header("content-type", "application/grpc")
            .header("x-cityguide-caller", visit.word())
            .body(())?;
        let (answer, _) = client.clone().ready().await?.send_request(request, true)?;
        let answer = tokio::time::timeout(PATIENCE, answer).await??;
        let code = answer.headers().get("grpc-status");
        // Refused: the token is none, or the service is not there.
        code.ok_or_else(|| anyhow!("a call of nobody was handled"))?;
        let status = answer.status().as_u16();
        visit.load.tally.note(visit.kind, status, &[200], "a call");
    }
    drop(client);
    talking.await?.map_err(Into::into)
}
