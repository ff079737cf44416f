//! The calls in the shape of NCBI's E-utilities.

use serde_json::{Map, Value, json};

type Parameter = (&'static str, &'static str);

const DB: Parameter = ("db", "The database: pubmed.");
const RETMODE: Parameter = ("retmode", "xml or json.");
const ID: Parameter = ("id", "PMIDs, with commas between them or one by one.");
const WEB_ENV: Parameter = ("WebEnv", "Environment of the history.");
const QUERY_KEY: Parameter = ("query_key", "Number of a set in that environment.");
const RETSTART: Parameter = ("retstart", "How many are passed over.");
const RETMAX: Parameter = ("retmax", "Most in the answer.");

/// Call, what it does, its parameters.
const CALLS: [(&str, &str, &[Parameter]); 6] = [
    (
        "einfo",
        "What can be searched, in the shape of NCBI's einfo",
        &[DB, RETMODE],
    ),
    (
        "esearch",
        "PMIDs that a query selects, in the shape of NCBI's esearch",
        &[
            DB,
            (
                "term",
                "A query in PubMed's language; #1 is a set of the history.",
            ),
            RETSTART,
            RETMAX,
            (
                "sort",
                "most_recent, relevance, pub_date, Author or JournalName.",
            ),
            ("field", "Field of all terms that name none."),
            (
                "datetype",
                "Date of mindate, maxdate and reldate: pdat, edat, mdat, …",
            ),
            ("mindate", "First day, month or year."),
            ("maxdate", "Last day, month or year."),
            ("reldate", "The last so many days."),
            ("rettype", "uilist or count."),
            RETMODE,
            ("usehistory", "y keeps the list for later calls."),
            WEB_ENV,
            QUERY_KEY,
        ],
    ),
    (
        "epost",
        "Keeps PMIDs for later calls, in the shape of NCBI's epost",
        &[DB, ID, WEB_ENV, RETMODE],
    ),
    (
        "esummary",
        "Summaries of articles, in the shape of NCBI's esummary",
        &[
            DB,
            ID,
            WEB_ENV,
            QUERY_KEY,
            RETSTART,
            RETMAX,
            RETMODE,
            ("version", "Of XML: 1.0."),
        ],
    ),
    (
        "efetch",
        "Articles, in the shape of NCBI's efetch",
        &[
            DB,
            ID,
            WEB_ENV,
            QUERY_KEY,
            RETSTART,
            RETMAX,
            ("rettype", "xml, medline, abstract or uilist."),
            ("retmode", "xml or text."),
        ],
    ),
    (
        "elink",
        "Similar, cited and citing articles, in the shape of NCBI's elink",
        &[
            DB,
            ("dbfrom", "The database: pubmed."),
            ID,
            WEB_ENV,
            QUERY_KEY,
            ("cmd", "neighbor, neighbor_score or neighbor_history."),
            (
                "linkname",
                "pubmed_pubmed, pubmed_pubmed_citedin, pubmed_pubmed_refs.",
            ),
            RETMODE,
        ],
    ),
];

/// Adds the calls to the paths.
pub(super) fn add(paths: &mut Map<String, Value>) {
    for (call, summary, parameters) in CALLS {
        let path = format!("/entrez/eutils/{call}.fcgi");
        let success = success(call);
        let mut by_get = json!({
            "200": success,
            "401": {"description": "The server needs an API key."},
            "415": {"description": "The body is not a form."},
            "429": {"description": "The client asks too often."},
            "503": {"description": "Too many searches are waiting; the body says so in ERROR."},
            "504": {"description": "The search took too long; the body says so in ERROR."},
        });
        if call == "efetch" {
            by_get["400"] = json!({"description": "The request is at fault: ERROR says how."});
        }
        let in_query: Vec<Value> = parameters.iter().map(in_query).collect();
        let fields: Map<String, Value> = parameters
            .iter()
            .map(|(name, about)| {
                let schema = json!({"type": "string", "description": about});
                ((*name).to_owned(), schema)
            })
            .collect();
        let form = json!({"type": "object", "properties": fields});
        let form = json!({"application/x-www-form-urlencoded": {"schema": form}});
        let item = json!({
            "get": {
                "operationId": call, "summary": summary,
                "parameters": in_query, "responses": by_get,
            },
            "post": {
                "operationId": format!("{call}ByForm"), "summary": "The same, asked as a form",
                "requestBody": {"required": false, "content": form},
                "responses": by_get,
            },
        });
        paths.insert(path, item);
    }
}

fn in_query((name, about): &Parameter) -> Value {
    json!({
        "name": name, "in": "query", "required": false, "description": about,
        "schema": {"type": "string"},
    })
}

fn success(call: &str) -> Value {
    let text = json!({"schema": {"type": "string"}});
    let object = json!({"schema": {"type": "object"}});
    let content = match call {
        "efetch" => json!({"text/xml": text, "text/plain": text}),
        _ => json!({"text/xml": text, "application/json": object}),
    };
    json!({
        "description": "The answer; a fault of the request is an ERROR in it.",
        "content": content,
    })
}
