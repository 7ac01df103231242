//! Guests: they read.

use futures::FutureExt;
use reqwest::RequestBuilder;

use super::{Kind, Visit};

pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "pages",
        share: 1_300,
        visit: |visit| page(visit).boxed(),
    },
    Kind {
        name: "answers of the API",
        share: 1_300,
        visit: |visit| answer(visit).boxed(),
    },
    Kind {
        name: "long pages of lists",
        share: 200,
        visit: |visit| long_page(visit).boxed(),
    },
    Kind {
        name: "searches for new words",
        share: 1_300,
        visit: |visit| search(visit).boxed(),
    },
    Kind {
        name: "new query strings",
        share: 700,
        visit: |visit| query(visit).boxed(),
    },
    Kind {
        name: "conditional requests",
        share: 700,
        visit: |visit| conditional(visit).boxed(),
    },
    Kind {
        name: "pictures",
        share: 600,
        visit: |visit| picture(visit).boxed(),
    },
    Kind {
        name: "resolved paths",
        share: 300,
        visit: |visit| resolve(visit).boxed(),
    },
    Kind {
        name: "objects that do not exist",
        share: 600,
        visit: |visit| absent_object(visit).boxed(),
    },
    Kind {
        name: "pages that do not exist",
        share: 600,
        visit: |visit| absent_page(visit).boxed(),
    },
];

type Visited = anyhow::Result<()>;

/// The encodings that clients accept, browsers first.
const ENCODINGS: [&str; 3] = ["gzip, deflate, br, zstd", "gzip", "identity"];

impl Visit {
    /// A `GET` of a path as one of several clients sends it.
    async fn read(&self, path: &str, expected: &[u16]) -> Visited {
        let encoding = self.pick(&ENCODINGS).copied().unwrap_or_default();
        let request = self.get(path);
        self.fetch(request.header("accept-encoding", encoding), expected)
            .await
    }

    /// A `GET` of a path by a client of its own: reads are limited per address.
    fn get(&self, path: &str) -> RequestBuilder {
        let request = self.load.client.get(self.url(path));
        request.header("x-forwarded-for", self.address())
    }
}

async fn page(visit: Visit) -> Visited {
    let Some(path) = visit.pick(&visit.load.city.pages) else {
        return Ok(());
    };
    visit.read(path, &[200]).await
}

async fn answer(visit: Visit) -> Visited {
    let Some(path) = visit.pick(&visit.load.city.answers) else {
        return Ok(());
    };
    visit.read(path, &[200]).await
}

async fn long_page(visit: Visit) -> Visited {
    let offset = visit.number % 2_000;
    let path = format!("/api/v2/listings/?limit=100&offset={offset}");
    visit.read(&path, &[200]).await
}

async fn search(visit: Visit) -> Visited {
    let lists = ["listings", "articles", "events", "videos"];
    let list = visit.pick(&lists).copied().unwrap_or_default();
    let path = format!("/api/v2/{list}/?keywords={}", visit.word());
    visit.read(&path, &[200]).await
}

async fn query(visit: Visit) -> Visited {
    let paths = [
        "/",
        "/restaurants/",
        "/api/v2/listings/",
        "/search",
        "/api/v2/site/",
    ];
    let path = visit.pick(&paths).copied().unwrap_or_default();
    let path = format!("{path}?utm_source={}&q={}", visit.word(), visit.number);
    visit.read(&path, &[200]).await
}

async fn conditional(visit: Visit) -> Visited {
    let Some((path, tag)) = visit.pick(&visit.load.city.known) else {
        return Ok(());
    };
    // Every fourth client knows something that never was.
    let tag = if visit.number.is_multiple_of(4) {
        format!("\"{}\"", visit.word())
    } else {
        tag.clone()
    };
    let request = visit.get(path).header("if-none-match", tag);
    visit.fetch(request, &[200, 304]).await
}

async fn picture(visit: Visit) -> Visited {
    let Some(path) = visit.pick(&visit.load.city.pictures) else {
        return Ok(());
    };
    let mut request = visit.get(path);
    if visit.number.is_multiple_of(3) {
        request = request.header("range", "bytes=0-999");
    }
    visit.fetch(request, &[200, 206]).await
}

async fn resolve(visit: Visit) -> Visited {
    let known = visit.pick(&visit.load.city.pages);
    let invented = format!("/{}/{}/", visit.word(), visit.number);
    let path = known.filter(|_| visit.number.is_multiple_of(2));
    let path = format!("/api/v2/resolve/?path={}", path.unwrap_or(&invented));
    // The front page and lists are pages without an object.
    visit.read(&path, &[200, 404]).await
}

async fn absent_object(visit: Visit) -> Visited {
    let lists = [
        "listings",
        "articles",
        "events",
        "videos",
        "neighbourhoods",
        "pages",
    ];
    let list = visit.pick(&lists).copied().unwrap_or_default();
    let path = format!("/api/v2/{list}/{}/", 1_000_000_000 + visit.number);
    visit.read(&path, &[404]).await
}

async fn absent_page(visit: Visit) -> Visited {
    // Long enough for what is remembered about such paths to reach its bound within minutes.
    let depth = if visit.number.is_multiple_of(2) {
        ""
    } else {
        &"deep/".repeat(120)
    };
    let path = format!("/{}/{depth}", visit.word());
    visit.read(&path, &[404]).await
}
