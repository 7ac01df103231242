//! Writes a folder of many campaigns and imports it with the operator's command.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Context;

use crate::plan::Operator;

/// The sizes of a campaign's creatives: each fits into some slot of every kind of page.
const SIZES: [&str; 6] = [
    "970x250", "970x90", "728x90", "300x250", "320x100", "320x50",
];
/// Number of advertisers' categories; ads of the same category never share a page.
const CATEGORIES: u32 = 50;
/// Where line items may be shown; every second campaign has no condition.
const TARGETINGS: [&str; 4] = [
    "pages = [\"article\"]",
    "pages = [\"place\"]",
    "pages = [\"home\", \"article\"]",
    "screens = [\"x_small\", \"large\"]",
];

/// The campaigns to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Campaigns<'a> {
    pub(crate) count: u32,
    /// First and last day, as `2027-03-01`.
    pub(crate) days: (&'a str, &'a str),
    /// Impressions of each campaign.
    pub(crate) goal: u64,
}

impl Campaigns<'_> {
    /// Writes a folder and applies it to a site.
    pub(crate) async fn apply(self, operator: &Operator) -> anyhow::Result<()> {
        let folder = std::env::temp_dir().join(format!("cityguide-ads-{}", std::process::id()));
        self.write(&folder)?;
        let path = folder.to_str().context("a path")?;
        let applied = operator.run(&["ads", "apply", path]).await;
        fs::remove_dir_all(&folder)?;
        applied.map(drop)
    }

    fn write(self, folder: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(folder.join("campaigns"))?;
        fs::create_dir_all(folder.join("creatives"))?;
        let ad = "<!doctype html><title>An ad</title><p>Something to buy, at a price.</p>\n";
        fs::write(folder.join("creatives/plain.html"), ad)?;
        let mut advertisers = String::new();
        for at in 1..=self.count {
            write!(
                advertisers,
                "[[advertiser]]\nslug = \"bench-{at}\"\nname = \"Advertiser {at} of the bench\"\n\
                 website = \"https://bench-{at}.example/\"\n\n"
            )?;
            let file = folder.join(format!("campaigns/bench-{at}.toml"));
            fs::write(file, self.campaign(at)?)?;
        }
        fs::write(folder.join("advertisers.toml"), advertisers)?;
        Ok(())
    }

    fn campaign(self, at: u32) -> anyhow::Result<String> {
        let (first, last) = self.days;
        let (goal, category) = (self.goal, at % CATEGORIES);
        let number = usize::try_from(at / 2)? % TARGETINGS.len();
        let targeting = if at.is_multiple_of(2) {
            ""
        } else {
            TARGETINGS[number]
        };
        let creatives = SIZES.map(|size| {
            format!(
                "[[line_items.creatives]]\nslug = \"size-{size}\"\nsize = \"{size}\"\nhtml = \"creatives/plain.html\"\n\
                 alt = \"Something to buy\"\nhref = \"https://bench-{at}.example/\"\n"
            )
        });
        Ok(format!(
            "advertiser = \"bench-{at}\"\nname = \"Campaign {at}\"\ncategory = \"category-{category}\"\n\
             starts = {first}\nends = {last}\n\n[[line_items]]\nslug = \"all\"\npriority = \"standard\"\ngoal = {goal}\n\
             [line_items.targeting]\n{targeting}\n{}",
            creatives.concat()
        ))
    }
}
