//! Newsletter settings and changes to them.

use newsletters_proto::v1::{Choice, Settings};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use vocabulary::newsletters::Kind;

use super::choosing::choice;

/// Subscribed newsletters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the API")]
pub(crate) struct NewsletterSettings {
    pub(crate) news: bool,
    pub(crate) events: bool,
    pub(crate) foods: bool,
    contests: bool,
    real_estate: bool,
    travel: bool,
    photo_challenge_alerts: bool,
    promotions: bool,
}

impl NewsletterSettings {
    /// Settings with only these newsletters switched on.
    pub(crate) fn on(kinds: impl IntoIterator<Item = Kind>) -> Self {
        let mut settings = Self::default();
        for kind in kinds {
            *settings.of(kind) = true;
        }
        settings
    }

    fn of(&mut self, kind: Kind) -> &mut bool {
        match kind {
            Kind::News => &mut self.news,
            Kind::Events => &mut self.events,
            Kind::Foods => &mut self.foods,
            Kind::Contests => &mut self.contests,
            Kind::RealEstate => &mut self.real_estate,
            Kind::Travel => &mut self.travel,
            Kind::PhotoChallengeAlerts => &mut self.photo_challenge_alerts,
            Kind::Promotions => &mut self.promotions,
        }
    }
}

impl From<&Settings> for NewsletterSettings {
    fn from(settings: &Settings) -> Self {
        let names = settings.on.iter();
        Self::on(names.filter_map(|name| Kind::named(name)))
    }
}

/// Changes to subscribed newsletters. Absent fields remain unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewsletterChanges {
    news: Option<bool>,
    events: Option<bool>,
    foods: Option<bool>,
    contests: Option<bool>,
    real_estate: Option<bool>,
    travel: Option<bool>,
    photo_challenge_alerts: Option<bool>,
    /// Promotions require separate consent.
    promotions: Option<bool>,
}

/// Deserialises changes within a body. Only an object is accepted, while serde would also accept a list of field
/// values.
pub(crate) fn changes<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<NewsletterChanges>, D::Error> {
    let object = Option::<Map<String, Value>>::deserialize(deserializer)?;
    let read = object.map(|object| NewsletterChanges::deserialize(Value::Object(object)));
    read.transpose().map_err(serde::de::Error::custom)
}

/// Names of newsletters, for the OpenAPI document.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum NewsletterKind {
    News,
    Events,
    Foods,
    Contests,
    RealEstate,
    Travel,
    PhotoChallengeAlerts,
    Promotions,
}

impl NewsletterChanges {
    /// Returns the changes, with the wording shown beside the controls.
    pub(crate) fn choices(&self, site: &str) -> Vec<Choice> {
        let changes = Kind::ALL.into_iter();
        changes
            .filter_map(|kind| Some(choice(site, kind, self.of(kind)?)))
            .collect()
    }

    /// Returns the change of a newsletter.
    pub(crate) fn of(&self, kind: Kind) -> Option<bool> {
        match kind {
            Kind::News => self.news,
            Kind::Events => self.events,
            Kind::Foods => self.foods,
            Kind::Contests => self.contests,
            Kind::RealEstate => self.real_estate,
            Kind::Travel => self.travel,
            Kind::PhotoChallengeAlerts => self.photo_challenge_alerts,
            Kind::Promotions => self.promotions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_newsletter_is_the_setting_of_its_name() {
        for kind in Kind::ALL {
            let settings = serde_json::to_value(NewsletterSettings::on([kind])).expect("JSON");
            let settings = settings.as_object().expect("an object");
            let on: Vec<_> = settings
                .iter()
                .filter(|(_, is_on)| **is_on == true)
                .collect();
            assert_eq!(on.len(), 1);
            assert_eq!(on[0].0, kind.name());
            let text = format!("{{\"{}\": false}}", kind.name());
            let changes: NewsletterChanges = serde_json::from_str(&text).expect("a change");
            let choices = changes.choices("City Guide");
            assert_eq!(choices.len(), 1);
            assert_eq!(
                (choices[0].kind.as_str(), choices[0].is_on),
                (kind.name(), false)
            );
        }
        assert!(
            NewsletterChanges::default()
                .choices("City Guide")
                .is_empty()
        );
    }
}
