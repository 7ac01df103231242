//! Ad slots: positions for ads on pages.

use ad_delivery::Size;
use chassis::slug::is_slug;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum length of a position's name, in bytes.
const MAX_POSITION: usize = 40;

/// A position for ads on pages. The height of the tallest size for a screen is reserved on that screen, so that nothing
/// moves when the ad is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(from = "WrittenSlot")]
pub struct AdSlot {
    /// Name, unique on the site; the `advert_position` of the slot's ads.
    pub position: String,
    /// Pages that have the slot.
    pub pages: Vec<PageKind>,
    /// Spot of the slot on the pages.
    pub at: Spot,
    /// Shape of the slot.
    #[serde(rename = "box")]
    pub box_type: BoxType,
    /// Screens that show the slot; others do not request it.
    pub screens: Vec<Screen>,
    /// Possible sizes of the slot's ads: all sizes of the box, unless the site's file lists fewer.
    #[schema(value_type = Vec<String>)]
    pub sizes: Vec<Size>,
}

/// A slot in a site's file.
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
    /// Returns the id of the slot's HTML element.
    #[must_use]
    pub fn element_id(&self) -> String {
        format!("ad-{}", self.position)
    }

    /// Returns the sizes that ads in the slot may have on a screen; empty if the screen does not show the slot.
    #[must_use]
    pub fn sizes_on(&self, screen: Screen) -> Vec<Size> {
        if !self.screens.contains(&screen) {
            return Vec::new();
        }
        let fitting = |size: &&Size| size.width <= screen.narrowest();
        self.sizes.iter().filter(fitting).copied().collect()
    }

    /// Returns the height in CSS pixels that is reserved on a screen; `None` if the screen does not show the slot.
    #[must_use]
    pub fn height_on(&self, screen: Screen) -> Option<u16> {
        let sizes = self.sizes_on(screen);
        sizes.into_iter().map(|size| size.height).max()
    }

    /// Rejects a slot that pages cannot show.
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

/// Declares an enum whose values have a name in settings and the API.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $word:tt,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`. ")] $(#[$doc])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            /// Returns the value's name in settings and the API.
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
    /// A kind of page with ad slots, with the name of its module in the table of pages (`pages/kinds.rs`).
    PageKind {
        Home = "home",
        Section = "section",
        Article = "article",
        Place = "place",
        /// A photo shown over the page of its place; the ad remains when the next photo is opened.
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
    /// Spot of a slot on a page. No spot is above the main content.
    Spot {
        /// Below the opening of the page: the first block of the home page, a section's lead articles, or the text of
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
    /// Shape of a slot.
    BoxType {
        Leaderboard = "leaderboard",
        BigBox = "big_box",
        Mobile = "mobile",
    }
}

named! {
    /// Screen widths.
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
    /// Number of kinds.
    pub const COUNT: usize = Self::Archives as usize + 1;

    /// Returns the spots of the page.
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
    /// Returns the possible sizes.
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

    /// Returns the default screens.
    fn screens(self) -> &'static [Screen] {
        match self {
            Self::Leaderboard => &[Screen::Medium, Screen::Large],
            Self::BigBox => &[Screen::Small, Screen::Medium, Screen::Large],
            Self::Mobile => &[Screen::XSmall, Screen::Small],
        }
    }
}

impl Screen {
    /// All screen types, from narrow to wide.
    pub const ALL: [Self; 4] = [Self::XSmall, Self::Small, Self::Medium, Self::Large];

    /// Returns the minimum width in CSS pixels.
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
