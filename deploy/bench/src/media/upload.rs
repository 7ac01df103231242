//! A photo that a reader uploads.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use jpeg_encoder::{ColorType, Encoder};
use serde::Deserialize;

use crate::{
    database::{self, Cast, Database},
    plan::Plan,
};

const WIDTH: u16 = 1600;
const HEIGHT: u16 = 1200;
const BOUNDARY: &str = "a-boundary-of-the-bench";
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
struct Photo {
    id: i64,
    prism_image_url: Option<String>,
}

/// Uploads a photo, and returns the path of its file once it is published.
pub(super) async fn photo(
    plan: &Plan,
    database: &mut Database,
    cast: Cast,
) -> anyhow::Result<String> {
    let listing = cast.listing(0);
    let client = reqwest::Client::new();
    let session = database::session(cast.reader(0, 0));
    let upload = client
        .post(format!("http://{}/api/v2/photos/", plan.site))
        .header("cookie", format!("session={session}"))
        .header(
            "content-type",
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(form(listing)?);
    let answer = upload.send().await?;
    let (status, text) = (answer.status(), answer.text().await?);
    ensure!(
        status.is_success(),
        "the photo was answered {status}: {text}"
    );
    let uploaded: Photo = serde_json::from_str(&text)?;
    let address = format!("http://{}/api/v2/photos/{}/", plan.site, uploaded.id);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        // Operators look at the first photos of new readers.
        let publish = format!(
            "UPDATE photos.photos SET status = 'published', published_at = now() WHERE id = {} AND status = 'waiting'",
            uploaded.id
        );
        database.run(&publish).await?;
        let answer = client.get(&address).send().await?;
        if answer.status().is_success() {
            let photo: Photo = answer.json().await?;
            return photo.prism_image_url.context("the photo has no file");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    bail!("the photo was not made")
}

fn form(listing: i64) -> anyhow::Result<Vec<u8>> {
    let fields = [
        ("listing", listing.to_string()),
        ("description", "A view".to_owned()),
        ("credit", "The bench".to_owned()),
        ("licence", "CC-BY-4.0".to_owned()),
    ];
    let mut body = Vec::new();
    for (name, value) in fields {
        let part = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
        body.extend(part.into_bytes());
    }
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"view.jpg\"\r\ncontent-type: image/jpeg\r\n\r\n"
    );
    body.extend(head.into_bytes());
    body.extend(picture()?);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").into_bytes());
    Ok(body)
}

/// Shades under a texture.
fn picture() -> anyhow::Result<Vec<u8>> {
    let mut pixels = Vec::with_capacity(usize::from(WIDTH) * usize::from(HEIGHT) * 3);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let [texture, _] = ((x * 7) ^ (y * 13)).to_le_bytes();
            let [shade, _] = (x / 8 + y / 8).to_le_bytes();
            pixels.extend([shade, shade.wrapping_add(texture / 8), 255 - shade]);
        }
    }
    let mut file = Vec::new();
    Encoder::new(&mut file, 90).encode(&pixels, WIDTH, HEIGHT, ColorType::Rgb)?;
    Ok(file)
}
