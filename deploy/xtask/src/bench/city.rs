//! The places of a site that is measured.

use std::{
    fs,
    io::{BufWriter, Write},
    path::Path,
};

use serde_json::json;
use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
};

use crate::server::{Program, Settings};

/// The demo city's west, east, south and north.
const CITY: [f64; 4] = [-79.4765, -79.282, 43.6345, 43.6838];

/// Seeds the demo city and many more places, with the commands that an operator uses.
pub(super) fn seed(
    checkout: &Checkout,
    program: &Program,
    settings: &Settings,
    places: u32,
) -> anyhow::Result<()> {
    let step = Step::announced("City", "importing");
    let log = checkout.log("bench-seed")?;
    program.prepare(settings, &log)?;
    let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
    let file = folder.path().join("places.geojson");
    write_places(&file, places)?;
    let mut import = program.command(&["import", "places"]);
    import.arg(&file);
    settings.apply(&mut import);
    process::run("cityguide import places", &mut import, Output::Log(&log))?;
    step.done(&format!("{places} places beside the demo city's"));
    Ok(())
}

/// Writes places all over the demo city, the same each time.
fn write_places(file: &Path, places: u32) -> anyhow::Result<()> {
    let [west, east, south, north] = CITY;
    let mut out = BufWriter::new(fs::File::create(file)?);
    write!(out, r#"{{"type":"FeatureCollection","features":["#)?;
    for at in 0..places {
        // Steps of the golden ratio and of the plastic number cover a square evenly.
        let share = |step: f64| (f64::from(at) * step).fract();
        let longitude = west + (east - west) * share(0.754_877_666_246_693);
        let latitude = south + (north - south) * share(0.569_840_290_998_053);
        let word = |words: &'static [&'static str]| words[at as usize % words.len()];
        let amenity = word(&["restaurant", "cafe", "bar", "pub", "fast_food"]);
        let feature = json!({
            "type": "Feature",
            "properties": {
                "@id": format!("node/{at}"),
                "name": format!("{} {amenity} {at}", word(&["Golden", "Little", "Old", "Blue"])),
                "amenity": amenity,
                "cuisine": word(&["pizza", "thai", "coffee_shop"]),
                "addr:full": format!("{} Queen Street West Toronto", at % 2000 + 1),
            },
            "geometry": { "type": "Point", "coordinates": [longitude, latitude] },
        });
        write!(out, "{}{feature}", if at == 0 { "" } else { ",\n" })?;
    }
    write!(out, "]}}")?;
    out.flush()?;
    Ok(())
}
