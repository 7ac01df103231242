//! Tables of places, such as a business association's list, with mapped columns.

use std::io::BufRead;

use chassis::slug;
use places_proto::v1::{Coordinates, ImportListing};

use super::{
    mapping::PlacesMapping,
    refused::Refused,
    table::{self, Column, needed, optional},
    values::{degrees, hours, link, wheelchair},
};

/// Values that mark a closed place.
const CLOSED: [&str; 7] = ["closed", "yes", "y", "true", "1", "x", "permanently closed"];

/// Passes a proposal for every row to `take` until it returns false.
pub(super) fn each(
    file: impl BufRead,
    mapping: &PlacesMapping,
    refused: &mut Refused,
    mut take: impl FnMut(ImportListing) -> bool,
) -> Result<(), String> {
    let columns = Columns::of(mapping);
    let separator = u8::try_from(mapping.separator).unwrap_or(b',');
    table::each_of((file, separator), &columns.all, |position, fields| {
        let fields = fields.map(|fields| Row {
            fields,
            columns: &columns,
        });
        match fields.and_then(|row| proposal(&position, &row, mapping)) {
            Ok(listing) => take(listing),
            Err(why) => {
                refused.add(position, why);
                true
            }
        }
    })
}

/// The mapped columns: single-value columns, followed by the address columns.
struct Columns<'a> {
    all: Vec<Column<'a>>,
    named: Vec<(Field, usize)>,
    address: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Id,
    Name,
    Type,
    SubType,
    Phone,
    Website,
    OpeningHours,
    Latitude,
    Longitude,
    Wheelchair,
    Closed,
}

impl<'a> Columns<'a> {
    fn of(mapping: &'a PlacesMapping) -> Self {
        let columns = &mapping.columns;
        let single = [
            (Field::Id, columns.id.as_deref()),
            (Field::Name, Some(columns.name.as_str())),
            (Field::Type, columns.r#type.as_deref()),
            (Field::SubType, columns.sub_type.as_deref()),
            (Field::Phone, columns.phone.as_deref()),
            (Field::Website, columns.website.as_deref()),
            (Field::OpeningHours, columns.opening_hours.as_deref()),
            (Field::Latitude, columns.latitude.as_deref()),
            (Field::Longitude, columns.longitude.as_deref()),
            (Field::Wheelchair, columns.wheelchair.as_deref()),
            (Field::Closed, columns.closed.as_deref()),
        ];
        let mut all = Vec::new();
        let mut named = Vec::new();
        for (field, heading) in single {
            if let Some(heading) = heading {
                named.push((field, all.len()));
                all.push(needed(heading));
            }
        }
        let address = all.len();
        // If an address consists of several columns, some may be missing.
        let parts = columns.address.0.iter();
        all.extend(parts.map(|heading| match columns.address.0.len() {
            1 => needed(heading),
            _ => optional(heading),
        }));
        Self {
            all,
            named,
            address,
        }
    }
}

struct Row<'a> {
    fields: Vec<&'a str>,
    columns: &'a Columns<'a>,
}

impl Row<'_> {
    /// Returns a value; empty if its column is not mapped.
    fn value(&self, field: Field) -> &str {
        let mut named = self.columns.named.iter();
        let place = named.find(|(named, _)| *named == field);
        place.map_or("", |(_, place)| self.fields[*place])
    }

    fn optional(&self, field: Field) -> Option<String> {
        Some(self.value(field).to_owned()).filter(|value| !value.is_empty())
    }

    fn address(&self) -> String {
        let parts = self.fields[self.columns.address..].iter().copied();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

fn proposal(
    position: &str,
    row: &Row<'_>,
    mapping: &PlacesMapping,
) -> Result<ImportListing, String> {
    let address = row.address();
    let id = match row.value(Field::Id) {
        "" if mapping.columns.id.is_some() => return Err("the id is missing".to_owned()),
        // In a table without ids, places are identified by name and address.
        "" => slug::from_name(&format!("{} {address}", row.value(Field::Name))),
        id => id.to_owned(),
    };
    // If semicolons separate the fields, the comma is the decimal separator.
    let degrees = |field| match mapping.separator {
        ',' => degrees(row.value(field)),
        _ => degrees(&row.value(field).replace(',', ".")),
    };
    let at = degrees(Field::Latitude)?.zip(degrees(Field::Longitude)?);
    let closed = row.value(Field::Closed).to_lowercase();
    Ok(ImportListing {
        position: position.to_owned(),
        source_id: format!("{}:{id}", mapping.source),
        name: row.value(Field::Name).to_owned(),
        type_slug: mapping.type_slug(row.value(Field::Type)),
        sub_type: row.value(Field::SubType).to_owned(),
        address: Some(address).filter(|address| !address.is_empty()),
        phone: row.optional(Field::Phone),
        website: row.optional(Field::Website).and_then(link),
        opening_hours: hours(row.value(Field::OpeningHours)),
        wheelchair: wheelchair(row.value(Field::Wheelchair)),
        is_closed: CLOSED.contains(&closed.as_str()),
        coordinates: at.map(|(latitude, longitude)| Coordinates {
            latitude,
            longitude,
        }),
        ..ImportListing::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPPING: &str = r#"
        source = "bia"
        separator = ";"
        [columns]
        id = "Ref"
        name = "Business name"
        type = "Category"
        address = ["No.", "Street"]
        phone = "Tel"
        website = "Web"
        opening_hours = "Hours"
        latitude = "Lat"
        longitude = "Lon"
        wheelchair = "Chair"
        closed = "Status"
        [types]
        "Restaurants & cafés" = "restaurants"
    "#;
    const HEADINGS: &str =
        "Ref;BUSINESS NAME;Category;No.;Street;Tel;Web;Hours;Lat;Lon;Status;Chair\n";

    fn read(mapping: &str, file: &str) -> Result<(Vec<ImportListing>, Refused), String> {
        let mapping = PlacesMapping::read(mapping).expect("valid");
        let (mut listings, mut refused) = (Vec::new(), Refused::default());
        each(file.as_bytes(), &mapping, &mut refused, |listing| {
            listings.push(listing);
            true
        })?;
        Ok((listings, refused))
    }

    #[test]
    fn a_row_becomes_a_place_as_the_mapping_says() {
        let rows = "17;Pai; restaurants & CAFÉS;18;Duncan Street;416 555 0133;pai.example;Tu-Su 17:00-01:00;43,65;-79,39;open;Yes\n\
            18;Gone;bars;;Queen Street;;;;;;Closed;\n\
            ;Nameless;bars;;;;;;;;;\n\
            19;Lost;bars;;;;;;north;-79;;\n";
        let (places, refused) = read(MAPPING, &format!("{HEADINGS}{rows}")).expect("readable");
        let expected = ImportListing {
            position: "line 2".to_owned(),
            source_id: "bia:17".to_owned(),
            name: "Pai".to_owned(),
            type_slug: "restaurants".to_owned(),
            address: Some("18 Duncan Street".to_owned()),
            phone: Some("416 555 0133".to_owned()),
            website: Some("https://pai.example".to_owned()),
            opening_hours: Some("Tu-Su 17:00-01:00".to_owned()),
            wheelchair: Some("yes".to_owned()),
            coordinates: Some(Coordinates {
                latitude: 43.65,
                longitude: -79.39,
            }),
            ..ImportListing::default()
        };
        assert_eq!(places[0], expected);
        assert_eq!(places[1].address.as_deref(), Some("Queen Street"));
        assert!(places[1].is_closed && places[1].coordinates.is_none());
        assert_eq!((places.len(), refused.listed()), (2, 2));
        assert_eq!(refused.first(), "the id is missing");
    }

    #[test]
    fn a_list_without_ids_knows_its_places_by_name_and_address() {
        let mapping = "source = \"x\"\ndefault_type = \"bars\"\n[columns]\nname = \"Name\"\naddress = \"Address\"\n";
        let (places, _) = read(mapping, "Name,Address\nCafé Ω,\"5, Here\"\n").expect("readable");
        assert_eq!(places[0].source_id, "x:cafe-o-5-here");
        let missing = read(mapping, "Name,Street\n").expect_err("a heading is missing");
        assert_eq!(missing, "its first line lacks the headings: Address");
    }
}
