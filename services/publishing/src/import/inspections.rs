//! Food inspections from the city's register (`DineSafe`), and decisions about uncertain matches.

use std::io::BufRead;

use chassis::{
    call::{Call, Caller},
    rpc::Transport,
};
use cityguide_proto::intake::v1::Finish;
use places_proto::v1::{
    DoubtfulMatch, ImportInspectionRow, ImportInspectionsRequest, ImportInspectionsResponse,
    ImportMatchDecision, Severity, import_inspections_request::Item,
    inspections_client::InspectionsClient,
};

use super::{
    refused::Refused,
    sending::{Progress, TIMEOUT, streamed},
    table::{self, Column, needed, optional},
    values::degrees,
};

/// Columns of the register that are read.
const REGISTER: [Column<'_>; 14] = [
    needed("Establishment ID"),
    needed("Inspection ID"),
    needed("Establishment Name"),
    needed("Establishment Type"),
    needed("Establishment Address"),
    optional("Latitude"),
    optional("Longitude"),
    needed("Establishment Status"),
    needed("Infraction Details"),
    needed("Inspection Date"),
    needed("Severity"),
    needed("Action"),
    optional("Outcome"),
    optional("Amount Fined"),
];
/// Columns of a file of uncertain matches.
const REVIEW: [&str; 8] = [
    "same",
    "establishment",
    "place",
    "establishment name",
    "place name",
    "establishment address",
    "place address",
    "why",
];
/// Columns that are read back.
const REVIEWED: [Column<'_>; 3] = [needed(REVIEW[0]), needed(REVIEW[1]), needed(REVIEW[2])];

/// Imports the register's CSV, preceded by decisions about matches, in a single transaction: an incomplete file changes
/// nothing.
pub async fn inspections(
    places: Transport,
    file: impl BufRead + Send + 'static,
    reviewed: Option<impl BufRead + Send + 'static>,
    finish: Finish,
) -> Result<ImportInspectionsResponse, String> {
    let mut client = InspectionsClient::new(places);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let read = move |sender: &tokio::sync::mpsc::Sender<ImportInspectionsRequest>| {
        let send = |item| {
            let request = ImportInspectionsRequest { item: Some(item) };
            sender.blocking_send(request).is_ok()
        };
        let (mut decisions, mut rows) = (Refused::default(), Refused::default());
        if let Some(reviewed) = reviewed {
            each_decision(reviewed, &mut decisions, |decision| {
                send(Item::Decision(decision))
            })
            .map_err(|why| format!("the reviewed matches: {why}"))?;
        }
        let mut progress = Progress::default();
        each_row(file, &mut rows, |row| {
            progress.count();
            send(Item::Row(row))
        })?;
        send(Item::Finish(rows.before(decisions.before(finish))));
        Ok((decisions, rows))
    };
    let ((decisions, rows), mut answer) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    let report = answer.report.take().unwrap_or_default();
    let report = rows.added_to(report, "rows");
    answer.report = Some(decisions.added_to(report, "decisions"));
    Ok(answer)
}

/// Passes every row of the register to `take` until it returns false.
pub(super) fn each_row(
    file: impl BufRead,
    refused: &mut Refused,
    mut take: impl FnMut(ImportInspectionRow) -> bool,
) -> Result<(), String> {
    table::each(file, &REGISTER, |position, fields| {
        match fields.and_then(|fields| row(&position, &fields)) {
            Ok(row) => take(row),
            Err(why) => {
                refused.add(position, why);
                true
            }
        }
    })
}

fn row(position: &str, fields: &[&str; 14]) -> Result<ImportInspectionRow, String> {
    let [
        establishment_id,
        inspection_id,
        establishment_name,
        establishment_type,
        address,
        latitude,
        longitude,
        outcome,
        details,
        date,
        severity,
        action,
        court_outcome,
        fine,
    ] = fields.map(str::to_owned);
    let at = degrees(&latitude)?.zip(degrees(&longitude)?);
    let (latitude, longitude) = at.unzip();
    Ok(ImportInspectionRow {
        position: position.to_owned(),
        severity: self::severity(&severity)?.into(),
        fine_cents: cents(&fine)?,
        // Some releases append midnight to the date.
        date: date.split(['T', ' ']).next().unwrap_or_default().to_owned(),
        establishment_id,
        inspection_id,
        establishment_name,
        establishment_type,
        address,
        latitude,
        longitude,
        outcome,
        details,
        action,
        court_outcome,
    })
}

/// Parses a severity: "C - Crucial", "M - Minor", "NA - Not Applicable".
fn severity(text: &str) -> Result<Severity, String> {
    match text.split(' ').next().unwrap_or_default() {
        "" | "NA" => Ok(Severity::Unspecified),
        "M" => Ok(Severity::Minor),
        "S" => Ok(Severity::Significant),
        "C" => Ok(Severity::Crucial),
        _ => Err(format!("the severity {text:?} is not known")),
    }
}

/// Parses an amount in cents: "610", "1,250.50". An empty text and 0 mean no fine.
fn cents(text: &str) -> Result<Option<i64>, String> {
    let odd = || format!("the fine {text:?} is no sum of money");
    let plain = text.trim_start_matches('$').replace(',', "");
    if plain.is_empty() {
        return Ok(None);
    }
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) || part.len() > 2 {
        return Err(odd());
    }
    let cents: i64 = format!("{whole}{part:0<2}").parse().map_err(|_| odd())?;
    Ok(Some(cents).filter(|cents| *cents > 0))
}

/// Passes every decision of a reviewed file to `take` until it returns false. Lines without a decision are skipped.
pub(super) fn each_decision(
    file: impl BufRead,
    refused: &mut Refused,
    mut take: impl FnMut(ImportMatchDecision) -> bool,
) -> Result<(), String> {
    table::each(file, &REVIEWED, |position, fields| {
        let decided = fields.and_then(|[same, establishment, place]| {
            let is_same = match same.to_ascii_lowercase().as_str() {
                "" => return Ok(None),
                "yes" | "y" => true,
                "no" | "n" => false,
                _ => return Err(format!("{same:?} is no answer: write yes or no")),
            };
            Ok(Some(ImportMatchDecision {
                position: position.clone(),
                establishment_id: establishment.to_owned(),
                listing_source_id: place.to_owned(),
                is_same,
            }))
        });
        match decided {
            Ok(None) => true,
            Ok(Some(decision)) => take(decision),
            Err(why) => {
                refused.add(position, why);
                true
            }
        }
    })
}

/// Writes uncertain matches as CSV; the first column is for the decisions of a manual review.
pub fn write_review(
    file: impl std::io::Write,
    doubtful: &[DoubtfulMatch],
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(REVIEW)?;
    for pair in doubtful {
        let metres = pair.metres.map(|metres| format!(", {metres} m apart"));
        let why = format!("{}{}", pair.reason, metres.unwrap_or_default());
        writer.write_record([
            "",
            &pair.establishment_id,
            &pair.listing_source_id,
            &harmless(&pair.establishment_name),
            &harmless(&pair.listing_name),
            &harmless(&pair.establishment_address),
            &harmless(&pair.listing_address),
            &why,
        ])?;
    }
    writer.flush()?;
    Ok(())
}

/// Escapes a text that a spreadsheet would interpret as a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: &str = "Rec #,Establishment ID,Inspection ID,Establishment Name,Establishment Type,Establishment Address,\
        Latitude,Longitude,Establishment Status,Min. Inspections Per Year,Infraction Details,Inspection Date,Severity,Action,\
        Outcome,Amount Fined";

    fn read(row: &str) -> Result<ImportInspectionRow, String> {
        let mut refused = Refused::default();
        let mut rows = Vec::new();
        let file = format!("{HEADINGS}\n{row}\n");
        each_row(file.as_bytes(), &mut refused, |row| {
            rows.push(row);
            true
        })?;
        rows.pop().ok_or_else(|| refused.first().to_owned())
    }

    #[test]
    fn a_row_of_the_register_has_every_field() {
        let row = read(
            "1,105,207,\"O'NEIL, & SONS\",Restaurant,361 OAKWOOD AVE,43.68725,-79.43842,Conditional Pass,2,\
             Fail to clean,2020-02-14T00:00:00,C - Crucial,Ticket,Conviction - Fined,\"1,250.5\"",
        );
        let expected = ImportInspectionRow {
            position: "line 2".to_owned(),
            establishment_id: "105".to_owned(),
            inspection_id: "207".to_owned(),
            establishment_name: "O'NEIL, & SONS".to_owned(),
            establishment_type: "Restaurant".to_owned(),
            address: "361 OAKWOOD AVE".to_owned(),
            latitude: Some(43.68725),
            longitude: Some(-79.43842),
            outcome: "Conditional Pass".to_owned(),
            date: "2020-02-14".to_owned(),
            details: "Fail to clean".to_owned(),
            severity: Severity::Crucial.into(),
            action: "Ticket".to_owned(),
            court_outcome: "Conviction - Fined".to_owned(),
            fine_cents: Some(125_050),
        };
        assert_eq!(row, Ok(expected));
        let bare = read("1,105,207,PAI,,,,0,Pass,,,2020-02-14,,,,0").expect("a row");
        assert_eq!(
            (bare.latitude, bare.fine_cents, bare.severity),
            (None, None, 0)
        );
    }

    #[test]
    fn a_field_that_cannot_be_read_is_named() {
        for (row, expected) in [
            (
                "1,1,2,P,,,x,1,Pass,,,2020-02-14,,,,",
                "\"x\" is no position: expected degrees",
            ),
            (
                "1,1,2,P,,,,,Pass,,,2020-02-14,X - Odd,,,",
                "the severity \"X - Odd\" is not known",
            ),
            (
                "1,1,2,P,,,,,Pass,,,2020-02-14,,,,lots",
                "the fine \"lots\" is no sum of money",
            ),
            (
                "1,1,2,P,,,,,Pass,,,2020-02-14,,,,99999999999999999999",
                "the fine \"99999999999999999999\" is no sum of money",
            ),
            ("1,1,2", "it has 3 fields, and the line of headings 16"),
        ] {
            assert_eq!(read(row), Err(expected.to_owned()));
        }
    }

    #[test]
    fn doubtful_matches_are_read_back_as_they_are_answered() {
        let pair = |id: &str| DoubtfulMatch {
            establishment_id: id.to_owned(),
            establishment_name: "=1+1, \"PAI\"".to_owned(),
            listing_source_id: format!("osm:node/{id}"),
            metres: Some(5),
            reason: "the names differ".to_owned(),
            ..DoubtfulMatch::default()
        };
        let mut file = Vec::new();
        write_review(&mut file, &["1", "2", "3", "4"].map(pair)).expect("writes");
        let text = String::from_utf8(file).expect("UTF-8");
        assert!(text.contains("\"'=1+1, \"\"PAI\"\"\""), "{text}");
        let answers = ["Yes", "no", "", "perhaps"].into_iter();
        let lines = text.lines().skip(1).zip(answers);
        let lines: Vec<_> = lines
            .map(|(line, answer)| format!("{answer}{line}"))
            .collect();
        let answered = format!(
            "{}\n{}\n",
            text.lines().next().expect("headings"),
            lines.join("\n")
        );
        let (mut refused, mut decisions) = (Refused::default(), Vec::new());
        each_decision(answered.as_bytes(), &mut refused, |decision| {
            decisions.push((decision.listing_source_id, decision.is_same));
            true
        })
        .expect("readable");
        let expected = [
            ("osm:node/1".to_owned(), true),
            ("osm:node/2".to_owned(), false),
        ];
        assert_eq!(decisions, expected);
        assert_eq!(refused.first(), "\"perhaps\" is no answer: write yes or no");
    }
}
