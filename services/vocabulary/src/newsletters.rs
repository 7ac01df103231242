//! Kinds of newsletters, with their texts.

use strum::{EnumString, IntoStaticStr};

/// A kind of newsletter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// Daily news articles.
    News,
    /// Upcoming events.
    Events,
    /// Places and reviews.
    Foods,
    /// Contests.
    Contests,
    /// Real estate and neighbourhoods.
    RealEstate,
    /// Excursions and travel.
    Travel,
    /// Calls for readers' photos.
    PhotoChallengeAlerts,
    /// Offers of the site and its partners.
    Promotions,
}

/// How often a newsletter is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Each day.
    Daily,
    /// Each week.
    Weekly,
    /// Irregularly.
    NoSetSchedule,
}

impl Schedule {
    /// Returns the text for readers.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Daily => "Daily",
            Self::Weekly => "Weekly",
            Self::NoSetSchedule => "No set schedule",
        }
    }
}

impl Kind {
    /// All kinds in display order.
    pub const ALL: [Self; 8] = [
        Self::News,
        Self::Events,
        Self::Foods,
        Self::Contests,
        Self::RealEstate,
        Self::Travel,
        Self::PhotoChallengeAlerts,
        Self::Promotions,
    ];

    /// Returns the kind's name in settings, calls and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the title for readers.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::News => "Top Stories",
            Self::Events => "Top Events",
            Self::Foods => "Dished",
            Self::Contests => "Contests",
            Self::RealEstate => "Real Estate",
            Self::Travel => "Travel",
            Self::PhotoChallengeAlerts => "Photo Challenge Alerts",
            Self::Promotions => "Promotions",
        }
    }

    /// Describes the newsletter in a sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::News => "The stories that the city talks about, each morning.",
            Self::Events => "What is worth going out for in the week ahead.",
            Self::Foods => "New places to eat, reviews, and the tables to get while you can.",
            Self::Contests => "Prizes to win, and how to enter.",
            Self::RealEstate => "Homes, streets and what they cost.",
            Self::Travel => "Days out and longer journeys from the city.",
            Self::PhotoChallengeAlerts => {
                "A subject, a deadline, and the best pictures of the last one."
            }
            Self::Promotions => "Offers from our partners. We never give them your address.",
        }
    }

    /// Returns how often it is sent.
    #[must_use]
    pub const fn schedule(self) -> Schedule {
        match self {
            Self::News => Schedule::Daily,
            Self::Events | Self::Foods | Self::RealEstate | Self::Travel => Schedule::Weekly,
            Self::Contests | Self::PhotoChallengeAlerts | Self::Promotions => {
                Schedule::NoSetSchedule
            }
        }
    }

    /// Whether the newsletter is advertising, which requires separate consent (CASL).
    #[must_use]
    pub const fn is_advertising(self) -> bool {
        matches!(self, Self::Promotions)
    }

    /// Returns the consent wording, which is shown beside the control and stored as evidence.
    #[must_use]
    pub fn consent(self, site: &str) -> String {
        let title = self.title();
        match self.schedule() {
            Schedule::Daily => format!(
                "Send me {title} from {site} by email each day. I can unsubscribe at any time."
            ),
            Schedule::Weekly => format!(
                "Send me {title} from {site} by email each week. I can unsubscribe at any time."
            ),
            Schedule::NoSetSchedule if self.is_advertising() => format!(
                "Send me offers from {site} and its partners by email now and then. I can unsubscribe at any time."
            ),
            Schedule::NoSetSchedule => {
                format!(
                    "Send me {title} from {site} by email now and then. I can unsubscribe at any time."
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_found_by_its_name_and_says_what_one_agrees_to() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            let consent = kind.consent("City Guide");
            assert!(consent.contains("City Guide"), "{consent}");
            assert!(
                consent.contains(kind.title()) || kind.is_advertising(),
                "{consent}"
            );
        }
        assert_eq!(Kind::named("everything"), None);
    }
}
