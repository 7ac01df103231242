//! A slot: a position on pages that an ad can fill.

use ad_delivery::Size;
use chassis::slug::is_slug;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The longest name of a position, in bytes.
const MAX_POSITION: usize = 40;

/// A position on pages that an ad can fill. The height of the tallest size that it can have on a screen is reserved
/// there, so that nothing moves when the ad arrives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(from = "WrittenSlot")]
pub struct AdSlot {
    /// Its name, unique on the site; the `advert_position` of its ads.
    pub position: String,
    /// The pages that have it.
    pub pages: Vec<PageKind>,
    /// Where it stands on them.
    pub at: Spot,
    /// The form of the room that it takes.
    #[serde(rename = "box")]
    pub box_type: BoxType,
    /// The screens that show it; on others it is not asked for.
    pub screens: Vec<Screen>,
    /// The sizes that its ads may have: those of the box, unless the site's file names fewer.
    #[schema(value_type = Vec<String>)]
    pub sizes: Vec<Size>,
}

/// A slot as a site's file writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSlot {
    position: String,
    pages: Vec<PageKind>,
    #[serde(default = "usual_spot")]
    at: Spot,
    #[serde(rename = "box")]
    box_type: BoxType,
    screens: Vec<Screen>,
    sizes: Option<Vec<Size>>,
}

impl From<WrittenSlot> for AdSlot {
    fn from(written: WrittenSlot) -> Self {
        let WrittenSlot {
            position,
            pages,
            at,
            box_type,
            screens,
            sizes,
        } = written;
        Self {
            position,
            pages,
            at,
            box_type,
            screens,
            sizes: sizes.unwrap_or_else(|| box_type.sizes().to_vec()),
        }
    }
}

impl AdSlot {
    /// The id of its element.
    #[must_use]
    pub fn element_id(&self) -> String {
        format!("ad-{}", self.position)
    }

    /// The sizes that its ads may have on a screen; none if the screen does not show it.
    #[must_use]
    pub fn sizes_on(&self, screen: Screen) -> Vec<Size> {
        if !self.screens.contains(&screen) {
            return Vec::new();
        }
        let fitting = |size: &&Size| size.width <= screen.narrowest();
        self.sizes.iter().filter(fitting).copied().collect()
    }

    /// The height in CSS pixels that is reserved on a screen; `None` if the screen does not show it.
    #[must_use]
    pub fn height_on(&self, screen: Screen) -> Option<u16> {
        let sizes = self.sizes_on(screen);
        sizes.into_iter().map(|size| size.height).max()
    }

    /// Refuses a slot that a page could not show.
    pub fn check(&self) -> Result<(), String> {
        let Self {
            position,
            pages,
            at,
            box_type,
            screens,
            sizes,
        } = self;
        if !is_slug(position) || position.len() > MAX_POSITION {
            return Err(format!(
                "the position must be a slug of at most {MAX_POSITION} letters"
            ));
        }
        if pages.is_empty() || screens.is_empty() || sizes.is_empty() {
            return Err("it needs pages, screens and sizes".to_owned());
        }
        if let Some(page) = pages.iter().find(|page| !page.spots().contains(at)) {
            return Err(format!(
                "the page {:?} has no spot {:?}, it has {}",
                page.name(),
                at.name(),
                listed(page.spots().iter().map(|spot| spot.name()))
            ));
        }
        if *at == Spot::Side && (*box_type != BoxType::BigBox || screens != &[Screen::Large]) {
            return Err("the side is as wide as a big_box, on large screens alone".to_owned());
        }
        if let Some(screen) = screens
            .iter()
            .find(|screen| !box_type.screens().contains(screen))
        {
            return Err(format!(
                "a {} is for {}, not {}",
                box_type.name(),
                listed(box_type.screens().iter().map(|screen| screen.name())),
                screen.name()
            ));
        }
        if let Some(size) = sizes.iter().find(|size| !box_type.sizes().contains(size)) {
            return Err(format!(
                "{size} is no size of a {}, which has {}",
                box_type.name(),
                listed(box_type.sizes().iter().map(ToString::to_string))
            ));
        }
        match screens
            .iter()
            .find(|screen| self.sizes_on(**screen).is_empty())
        {
            Some(screen) => Err(format!(
                "none of its sizes is narrow enough for {} screens",
                screen.name()
            )),
            None => Ok(()),
        }
    }
}

fn usual_spot() -> Spot {
    Spot::Lead
}

fn listed<T: AsRef<str>>(names: impl Iterator<Item = T>) -> String {
    let names: Vec<T> = names.collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    names.join(", ")
}

/// Declares an enum whose values are named in settings and the API by one word each.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $word:tt,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`. ")] $(#[$doc])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            /// Its name in settings and the API.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }
        }
    };
}

named! {
    /// A kind of page with room for ads, named as the table of pages names its module (`pages/kinds.rs`).
    PageKind {
        Home = "home",
        Section = "section",
        Article = "article",
        Place = "place",
        /// A photo of a place, over the place's page; moving to the next one keeps its ad.
        Photo = "photo",
        Event = "event",
        Contest = "contest",
        Video = "video",
        Places = "places",
        ListingType = "listing-type",
        Neighbourhood = "neighbourhood",
        BestOf = "best-of",
        BestOfList = "best-of-list",
        Events = "events",
        Contests = "contests",
        Videos = "videos",
        Archives = "archives",
    }
}

named! {
    /// Where on a page a slot stands. None is above what the reader has come for.
    Spot {
        /// Below what the page opens with: the first block of the home page, a section's lead articles, the text of
        /// an article, place, event, contest or video.
        Lead = "lead",
        /// Beside the text.
        Side = "side",
        /// Between two blocks of the home page.
        Middle = "middle",
        /// At the end of the page.
        End = "end",
    }
}

named! {
    /// The form of a slot.
    BoxType {
        Leaderboard = "leaderboard",
        BigBox = "big_box",
        Mobile = "mobile",
    }
}

named! {
    /// The four widths of screens.
    Screen {
        /// Up to 639 px.
        XSmall = "x_small",
        /// 640 to 940 px.
        Small = "small",
        /// 941 to 1019 px.
        Medium = "medium",
        /// From 1020 px.
        Large = "large",
    }
}

impl PageKind {
    /// How many kinds there are.
    pub const COUNT: usize = Self::Archives as usize + 1;

    /// The spots that the page has.
    fn spots(self) -> &'static [Spot] {
        match self {
            Self::Home => &[Spot::Lead, Spot::Middle, Spot::End],
            Self::Section | Self::Event | Self::Contest | Self::Video => &[Spot::Lead, Spot::End],
            Self::Article | Self::Place => &[Spot::Lead, Spot::Side, Spot::End],
            Self::Photo => &[Spot::Side, Spot::End],
            Self::Places
            | Self::ListingType
            | Self::Neighbourhood
            | Self::BestOf
            | Self::BestOfList
            | Self::Events
            | Self::Contests
            | Self::Videos
            | Self::Archives => &[Spot::End],
        }
    }
}

impl BoxType {
    /// Its sizes.
    #[must_use]
    pub fn sizes(self) -> &'static [Size] {
        const fn size(width: u16, height: u16) -> Size {
            Size { width, height }
        }
        match self {
            Self::Leaderboard => {
                const { &[size(728, 90), size(970, 90), size(970, 250), size(1, 1)] }
            }
            Self::BigBox => const { &[size(300, 250), size(300, 600)] },
            Self::Mobile => const { &[size(320, 100), size(320, 50), size(300, 250)] },
        }
    }

    /// The screens that it is for.
    fn screens(self) -> &'static [Screen] {
        match self {
            Self::Leaderboard => &[Screen::Medium, Screen::Large],
            Self::BigBox => &[Screen::Small, Screen::Medium, Screen::Large],
            Self::Mobile => &[Screen::XSmall, Screen::Small],
        }
    }
}

impl Screen {
    /// Every type, from the narrowest.
    pub const ALL: [Self; 4] = [Self::XSmall, Self::Small, Self::Medium, Self::Large];

    /// The width in CSS pixels of the narrowest of these screens.
    fn narrowest(self) -> u16 {
        match self {
            Self::XSmall => 320,
            Self::Small => 640,
            Self::Medium => 941,
            Self::Large => 1020,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(at: Spot, box_type: BoxType, screens: &[Screen], sizes: Option<&[&str]>) -> AdSlot {
        let sizes = sizes.map(|sizes| sizes.iter().map(|size| size.parse().unwrap()).collect());
        AdSlot::from(WrittenSlot {
            position: "lead".to_owned(),
            pages: vec![PageKind::Article],
            at,
            box_type,
            screens: screens.to_vec(),
            sizes,
        })
    }

    fn on(slot: &AdSlot, screen: Screen) -> Vec<String> {
        slot.sizes_on(screen)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_screen_gets_the_sizes_of_the_box_that_fit_and_the_tallest_is_reserved() {
        let both = [Screen::Medium, Screen::Large];
        let leaderboard = slot(Spot::Lead, BoxType::Leaderboard, &both, None);
        assert_eq!(leaderboard.check(), Ok(()));
        assert_eq!(on(&leaderboard, Screen::Medium), ["728x90", "1x1"]);
        assert_eq!(
            on(&leaderboard, Screen::Large),
            ["728x90", "970x90", "970x250", "1x1"]
        );
        assert_eq!(leaderboard.height_on(Screen::Medium), Some(90));
        assert_eq!(leaderboard.height_on(Screen::Large), Some(250));
        assert_eq!(leaderboard.height_on(Screen::Small), None);

        let mobile = slot(Spot::Lead, BoxType::Mobile, &[Screen::XSmall], None);
        assert_eq!(
            on(&mobile, Screen::XSmall),
            ["320x100", "320x50", "300x250"]
        );
        let flat = slot(
            Spot::Lead,
            BoxType::Mobile,
            &[Screen::XSmall],
            Some(&["320x50"]),
        );
        assert_eq!(flat.height_on(Screen::XSmall), Some(50));
    }

    #[test]
    fn a_slot_that_no_page_could_show_is_refused_with_the_reason() {
        let large = [Screen::Large];
        let side = slot(Spot::Side, BoxType::BigBox, &large, None);
        assert_eq!(side.check(), Ok(()));
        let wide = slot(Spot::Lead, BoxType::Leaderboard, &large, Some(&["970x90"]));
        assert_eq!(wide.check(), Ok(()));
        for (wrong, reason) in [
            (
                AdSlot {
                    position: "Lead ad".to_owned(),
                    ..side.clone()
                },
                "must be a slug",
            ),
            (
                AdSlot {
                    position: "a".repeat(41),
                    ..side.clone()
                },
                "at most 40 letters",
            ),
            (
                AdSlot {
                    pages: Vec::new(),
                    ..side.clone()
                },
                "needs pages",
            ),
            (
                AdSlot {
                    pages: vec![PageKind::Article, PageKind::Home],
                    ..side.clone()
                },
                "the page \"home\" has no spot \"side\", it has lead, middle, end",
            ),
            (
                AdSlot {
                    screens: vec![Screen::Medium, Screen::Large],
                    ..side.clone()
                },
                "on large screens alone",
            ),
            (
                AdSlot {
                    box_type: BoxType::Leaderboard,
                    ..side.clone()
                },
                "as wide as a big_box",
            ),
            (
                AdSlot {
                    screens: vec![Screen::Small],
                    ..wide.clone()
                },
                "a leaderboard is for medium, large, not small",
            ),
            (
                AdSlot {
                    screens: vec![Screen::Medium],
                    ..wide.clone()
                },
                "narrow enough for medium screens",
            ),
            (
                slot(Spot::Lead, BoxType::BigBox, &large, Some(&["320x50"])),
                "320x50 is no size of a big_box, which has 300x250, 300x600",
            ),
            (
                slot(Spot::Lead, BoxType::BigBox, &large, Some(&[])),
                "needs pages, screens and sizes",
            ),
        ] {
            let why = wrong.check().expect_err(reason);
            assert!(why.contains(reason), "{why}");
        }
    }
}
