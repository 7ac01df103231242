//! The OpenAPI document as a contract: every answer is checked against it, and recorded.
//!
//! If `CITYGUIDE_TEST_CALLS` names a folder, received statuses of each operation are recorded there; `cargo xtask test`
//! fails if the document contains a status that no test has received.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, File},
    io::Write,
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::Validator;
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

/// The environment variable that names the folder in which calls are recorded.
const CALLS: &str = "CITYGUIDE_TEST_CALLS";
/// The content types of answers that are read whole.
const JSON: [&str; 2] = ["application/json", "application/problem+json"];

/// The document of this program.
pub(crate) static DOCUMENT: LazyLock<Document> = LazyLock::new(Document::load);

/// A parameter of an operation, or a field of its body.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    /// "path", "query", "header"; "body" for a JSON field, "form" for a form field.
    pub(crate) place: String,
    pub(crate) schema: Value,
}

/// An operation of the document.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// The path, with its parameters in braces.
    pub(crate) path: String,
    /// Each status with its responses' content by type.
    answers: BTreeMap<u16, BTreeMap<String, Value>>,
    pub(crate) takes_a_body: bool,
    /// Whether the body is a form with a file.
    pub(crate) is_upload: bool,
    pub(crate) inputs: Vec<Input>,
}

impl Operation {
    /// Whether the document lists this status.
    pub(crate) fn answers(&self, status: u16) -> bool {
        self.answers.contains_key(&status)
    }
}

/// The document, and the parts of it that have been seen.
pub(crate) struct Document {
    pub(crate) operations: Vec<Operation>,
    /// The components that schemas refer to.
    components: Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
    seen: Mutex<HashSet<String>>,
    notes: Option<Mutex<File>>,
}

impl Document {
    fn load() -> Self {
        let document = serde_json::to_value(cityguide::openapi()).expect("JSON");
        let mut operations = Vec::new();
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                let responses = operation["responses"].as_object().expect("responses");
                operations.push(Operation {
                    method: method.to_uppercase().parse().expect("a method"),
                    path: path.clone(),
                    answers: responses.iter().map(answer).collect(),
                    takes_a_body: operation.get("requestBody").is_some(),
                    is_upload: operation["requestBody"]["content"]
                        .get("multipart/form-data")
                        .is_some(),
                    inputs: inputs(operation, &document["components"]["schemas"]),
                });
            }
        }
        Self {
            operations,
            components: exact(&document["components"], false),
            validators: Mutex::default(),
            seen: Mutex::default(),
            notes: notes().map(Mutex::new),
        }
    }

    /// Returns the operation of a request, by its path.
    fn operation(&self, method: &Method, path: &str) -> Option<&Operation> {
        let path = path.trim_end_matches('/');
        let alike = self.operations.iter().filter(|one| {
            let template = one.path.trim_end_matches('/');
            template.split('/').count() == path.split('/').count()
                && template
                    .split('/')
                    .zip(path.split('/'))
                    .all(|(wanted, part)| wanted == part || is_parameter(wanted, part))
        });
        let alike: Vec<_> = alike.collect();
        // Like the router, this prefers a fixed word of a path to a parameter.
        let parameters = |one: &Operation| {
            let words = one.path.split('/');
            words.filter(|word| word.ends_with('}')).count()
        };
        let least = alike.iter().map(|one| parameters(one)).min()?;
        alike
            .into_iter()
            .find(|one| parameters(one) == least && one.method == *method)
    }

    /// Records an answer; panics if the document does not list its status or its content type. Returns the
    /// schema if its body is to be checked too.
    pub(crate) fn hold(
        &self,
        method: &Method,
        path: &str,
        status: StatusCode,
        content_type: Option<&str>,
    ) -> Option<Expected<'_>> {
        let operation = self.operation(method, path)?;
        let form = content_type.map(|text| text.split(';').next().unwrap_or(text).trim());
        let name = format!(
            "{} {} {}",
            operation.method,
            operation.path,
            status.as_u16()
        );
        self.note(&format!("{name} {}", form.unwrap_or("-")));
        let contents = operation.answers.get(&status.as_u16());
        let contents = contents.unwrap_or_else(|| panic!("{path}: {name} is in no document"));
        let Some(form) = form else {
            assert!(contents.is_empty(), "{path}: {name} has no content");
            return None;
        };
        let schema = contents.get(form);
        let schema = schema.unwrap_or_else(|| panic!("{path}: {name} is not said to be {form}"));
        JSON.contains(&form).then(|| Expected {
            document: self,
            name: format!("{name} {form}"),
            schema,
        })
    }

    fn note(&self, line: &str) {
        let is_new = self.seen.lock().expect("no panic").insert(line.to_owned());
        if let (true, Some(notes)) = (is_new, &self.notes) {
            writeln!(notes.lock().expect("no panic"), "{line}").expect("a note");
        }
    }

    fn validator(&self, name: &str, schema: &Value) -> Arc<Validator> {
        let mut validators = self.validators.lock().expect("no panic");
        let made = validators.entry(name.to_owned()).or_insert_with(|| {
            let mut whole = exact(schema, true);
            whole["components"] = self.components.clone();
            let validator = jsonschema::draft202012::options()
                .should_validate_formats(true)
                .build(&whole);
            Arc::new(validator.unwrap_or_else(|error| panic!("{name}: {error}")))
        });
        Arc::clone(made)
    }
}

/// The documented schema of a body.
pub(crate) struct Expected<'a> {
    document: &'a Document,
    name: String,
    schema: &'a Value,
}

impl Expected<'_> {
    /// Panics if a body does not match the document.
    pub(crate) fn hold(&self, body: &[u8]) {
        let name = &self.name;
        let value: Value = serde_json::from_slice(body)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}", String::from_utf8_lossy(body)));
        let validator = self.document.validator(name, self.schema);
        let wrong: Vec<_> = validator
            .iter_errors(&value)
            .map(|error| format!("{} {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{name}: {}: {value}", wrong.join("; "));
    }
}

/// Whether a parameter matches a segment of a path, entirely or up to an extension.
fn is_parameter(wanted: &str, part: &str) -> bool {
    let ending = wanted
        .strip_prefix('{')
        .and_then(|rest| rest.split_once('}'));
    ending.is_some_and(|(_, ending)| part.ends_with(ending))
}

fn answer((status, response): (&String, &Value)) -> (u16, BTreeMap<String, Value>) {
    let contents = response["content"].as_object().into_iter().flatten();
    let contents = contents.map(|(form, content)| (form.clone(), content["schema"].clone()));
    (status.parse().expect("a status"), contents.collect())
}

/// The parameters of an operation, and the fields of its body.
fn inputs(operation: &Value, schemas: &Value) -> Vec<Input> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let parameters = parameters.map(|one| Input {
        name: text(&one["name"]),
        place: text(&one["in"]),
        schema: one["schema"].clone(),
    });
    let contents = operation["requestBody"]["content"].as_object();
    let bodies = contents.into_iter().flatten();
    let fields = bodies.flat_map(|(form, content)| {
        let place = if form == "multipart/form-data" {
            "form"
        } else {
            "body"
        };
        let found = fields(&content["schema"], schemas).into_iter();
        found.map(move |input| Input {
            place: place.to_owned(),
            ..input
        })
    });
    parameters.chain(fields).collect()
}

/// The fields of an object's schema, including the fields of the schemas that it combines.
fn fields(schema: &Value, schemas: &Value) -> Vec<Input> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return fields(&schemas[name], schemas);
    }
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let inherited = parts.flat_map(|part| fields(part, schemas));
    let own = schema["properties"].as_object().into_iter().flatten();
    let own = own.map(|(name, schema)| Input {
        name: name.clone(),
        place: "body".to_owned(),
        schema: schema.clone(),
    });
    inherited.chain(own).collect()
}

/// Closes a schema to fields that it does not name, so that every field in a response is documented. If a schema
/// combines others (`allOf`), the combined schema is closed and not its parts.
fn exact(schema: &Value, is_whole: bool) -> Value {
    let Value::Object(fields) = schema else {
        return match schema {
            Value::Array(schemas) => schemas.iter().map(|one| exact(one, is_whole)).collect(),
            other => other.clone(),
        };
    };
    let mut closed = Map::new();
    for (name, value) in fields {
        let value = match name.as_str() {
            "properties" | "schemas" => each(value, name == "properties"),
            "items" | "additionalProperties" | "oneOf" | "anyOf" => exact(value, true),
            "allOf" | "components" => exact(value, false),
            _ => value.clone(),
        };
        closed.insert(name.clone(), value);
    }
    let is_open = ["$ref", "allOf", "properties"]
        .iter()
        .any(|name| fields.contains_key(*name));
    if is_whole && is_open {
        closed.insert("unevaluatedProperties".to_owned(), json!(false));
    }
    Value::Object(closed)
}

/// Closes each of several named schemas.
fn each(schemas: &Value, is_whole: bool) -> Value {
    let schemas = schemas.as_object().into_iter().flatten();
    let schemas = schemas.map(|(name, schema)| (name.clone(), exact(schema, is_whole)));
    Value::Object(schemas.collect())
}

/// This process's own file of records, if recording is requested.
fn notes() -> Option<File> {
    let folder = PathBuf::from(std::env::var_os(CALLS)?);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{}.calls", std::process::id()));
    let file = File::options().create(true).append(true).open(file);
    Some(file.expect("a file of notes"))
}
