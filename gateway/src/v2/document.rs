//! Completes every operation of the OpenAPI document with the API's conventions: bounds of parameters, optional bodies,
//! 408 for operations with a body, 429 for public responses, a problem document for every error, and `Retry-After`. No
//! schema is closed: unknown body fields are ignored, and responses may gain fields.

use chassis::{
    paging::{DEFAULT_LIMIT, MAX_KEYWORDS, MAX_LIMIT, MAX_OFFSET},
    slug,
};
use http::StatusCode;
use serde_json::json;
use utoipa::{
    ToSchema,
    openapi::{
        Content, Header, KnownFormat, ObjectBuilder, OneOfBuilder, OpenApi, PathItem, Ref, RefOr,
        Required, Response, ResponseBuilder, Schema, SchemaFormat, Type,
        path::{Operation, Parameter, ParameterIn},
        schema::{AdditionalProperties, AnyOf},
    },
};

use crate::edge::{
    error::{ErrorBody, Problem},
    id, redirect,
};

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";
/// Operations whose body has no required field. Their body may be empty, which means an empty object.
const OPTIONAL_BODIES: [&str; 2] = ["change_profile", "confirm_newsletters"];

/// Completes the generated document.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let operations = document.paths.paths.values_mut().flat_map(operations);
    for operation in operations {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(parameter) = parameter
                && let Some(schema) = bounds(parameter)
            {
                parameter.schema = Some(schema);
            }
        }
        let responses = &mut operation.responses.responses;
        // Repeated requests for cached responses are not limited; requests that must be computed are.
        let is_public = responses.contains_key(StatusCode::NOT_MODIFIED.as_str());
        let mut may_fail = |status: StatusCode| {
            let content = Content::new(Some(Ref::from_schema_name(ErrorBody::name())));
            let response = ResponseBuilder::new().content(JSON, content).build();
            responses.insert(status.as_str().to_owned(), response.into());
        };
        if operation.request_body.is_some() {
            may_fail(StatusCode::REQUEST_TIMEOUT);
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body
            && let Some(id) = &operation.operation_id
            && OPTIONAL_BODIES.contains(&id.as_str())
        {
            body.required = Some(Required::False);
        }
        if is_public {
            may_fail(StatusCode::TOO_MANY_REQUESTS);
        }
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(response) = response {
                describe(status, response);
            }
        }
    }
    let components = document.components.iter_mut();
    for schema in components.flat_map(|components| components.schemas.values_mut()) {
        match schema {
            RefOr::T(Schema::Object(object)) => {
                let more = &mut object.additional_properties;
                more.take_if(|more| matches!(**more, AdditionalProperties::FreeForm(false)));
            }
            // A value may match several schemas: a published place also matches the schema of an unpublished one.
            RefOr::T(Schema::OneOf(forms)) => {
                let mut any = AnyOf::new();
                any.items = std::mem::take(&mut forms.items);
                any.description = forms.description.take();
                *schema = RefOr::T(Schema::AnyOf(any));
            }
            _ => {}
        }
    }
    document
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut path.get,
        &mut path.put,
        &mut path.post,
        &mut path.delete,
        &mut path.patch,
    ]
    .into_iter()
    .flatten()
}

/// Returns a parameter's schema by its name, which has the same meaning throughout the API. In a query, an empty
/// parameter counts as absent.
fn bounds(parameter: &Parameter) -> Option<RefOr<Schema>> {
    let whole = || ObjectBuilder::new().schema_type(Type::Integer);
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let formatted = |format| text().format(Some(SchemaFormat::KnownFormat(format)));
    let words = |pattern: &str| match parameter.parameter_in {
        ParameterIn::Query => text().pattern(Some(format!("^({pattern})?$"))),
        _ => text().pattern(Some(format!("^{pattern}$"))),
    };
    let schema = match parameter.name.as_str() {
        "id" | "listing" | "article_id" if parameter.parameter_in != ParameterIn::Header => whole()
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(1))
            .maximum(Some(id::END - 1)),
        "slug" | "type" | "sub_type" | "section" | "neighbourhood" | "best_of" | "category"
        | "author" | "tag" | "listing_type" => {
            words("[a-z0-9]+(-[a-z0-9]+)*").max_length(Some(slug::MAX_LENGTH))
        }
        "offset" => whole().minimum(Some(0)).maximum(Some(MAX_OFFSET)),
        "limit" => whole()
            .minimum(Some(1))
            .maximum(Some(MAX_LIMIT))
            .default(Some(json!(DEFAULT_LIMIT))),
        "is_closed" | "reviewed" | "open_now" | "completed" | "free" => {
            whole().minimum(Some(0)).maximum(Some(1))
        }
        "ids" => words("[1-9][0-9]{0,14}(,[1-9][0-9]{0,14}){0,99}"),
        "tags" => words("[a-z0-9]+(-[a-z0-9]+)*(,[a-z0-9]+(-[a-z0-9]+)*){0,19}")
            .max_length(Some(20 * (slug::MAX_LENGTH + 1))),
        "token" => words("[A-Za-z0-9_-]{1,200}"),
        "Idempotency-Key" => text().pattern(Some("^[!-~]{1,255}$")),
        "keywords" => text().max_length(Some(MAX_KEYWORDS)),
        "next_url" => text().max_length(Some(redirect::MAX_BYTES)),
        "from" | "to" => {
            let either = OneOfBuilder::new()
                .item(text().max_length(Some(0)))
                .item(formatted(KnownFormat::Date))
                .item(formatted(KnownFormat::DateTime));
            return Some(either.into());
        }
        _ => return None,
    };
    Some(schema.into())
}

/// Adds a default description to a response. Adds problem documents to errors, and `Retry-After` to temporary errors.
fn describe(status: &str, response: &mut Response) {
    let status = status.parse::<StatusCode>().ok();
    let reason = status.and_then(|status| status.canonical_reason());
    if response.description.is_empty() {
        let reason = reason.unwrap_or_default();
        reason.clone_into(&mut response.description);
    }
    let error = RefOr::Ref(Ref::from_schema_name(ErrorBody::name()));
    let is_error = response.content.get(JSON).is_some_and(
        |content| matches!(content, RefOr::T(content) if content.schema.as_ref() == Some(&error)),
    );
    if !is_error {
        return;
    }
    let problem = Content::new(Some(Ref::from_schema_name(Problem::name())));
    response.content.insert(PROBLEM.to_owned(), problem.into());
    if matches!(
        status,
        Some(StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS)
    ) {
        let mut header = Header::new(ObjectBuilder::new().schema_type(Type::Integer));
        header.description = Some("Seconds after which another try is worth it.".to_owned());
        response
            .headers
            .entry("Retry-After".to_owned())
            .or_insert(header.into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::v2::openapi;

    /// Returns every operation of the document with its method and path.
    fn operations() -> Vec<(String, Value)> {
        let document = serde_json::to_value(openapi()).expect("JSON");
        let paths = document["paths"].as_object().expect("paths");
        let named = |path: &str, (method, operation): (&String, &Value)| {
            (format!("{method} {path}"), operation.clone())
        };
        paths
            .iter()
            .flat_map(|(path, item)| {
                let operations = item.as_object().expect("operations").iter();
                operations.map(move |operation| named(path, operation))
            })
            .collect()
    }

    #[test]
    fn every_answer_says_what_it_is_and_every_error_comes_in_two_forms() {
        for (name, operation) in operations() {
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let name = format!("{name} {status}");
                assert_ne!(response["description"], "", "{name}");
                if status.as_str() < "400" {
                    continue;
                }
                for (form, schema) in [
                    ("application/json", "#/components/schemas/ErrorBody"),
                    ("application/problem+json", "#/components/schemas/Problem"),
                ] {
                    let found = &response["content"][form]["schema"]["$ref"];
                    assert_eq!(found, schema, "{name} {form}");
                }
                let comes_back = response["headers"]["Retry-After"].is_object();
                assert_eq!(
                    comes_back,
                    matches!(status.as_str(), "429" | "503"),
                    "{name}"
                );
            }
        }
    }

    /// The site's file rejects unknown fields, but the API's site response may gain fields. As fields may be added, a
    /// value may match several schemas.
    #[test]
    fn no_schema_is_closed() {
        let document = serde_json::to_value(openapi()).expect("JSON");
        for (name, schema) in document["components"]["schemas"]
            .as_object()
            .expect("schemas")
        {
            assert_ne!(schema["additionalProperties"], json!(false), "{name}");
            assert!(schema.get("oneOf").is_none(), "{name}");
        }
    }

    /// Without documented bounds, clients would send values that are rejected.
    #[test]
    fn every_parameter_is_bounded() {
        for (name, operation) in operations() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let schema = &parameter["schema"];
                let bounds = ["maximum", "maxLength", "pattern", "enum", "oneOf"];
                // `after` is an opaque cursor.
                let is_bounded = bounds.iter().any(|bound| schema.get(*bound).is_some());
                assert!(
                    is_bounded || parameter["name"] == json!("after"),
                    "{name}: {parameter}"
                );
            }
        }
    }
}
