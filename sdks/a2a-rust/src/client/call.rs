use a2a::{A2AError, StreamResponse, error_code, error_reason};
use a2a_client::BoxStream;
use futures::StreamExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Lines;
use crate::target::{Client, Clients, card};

pub struct Request {
    pub id: String,
    pub op: String,
    target: Value,
    pub params: Value,
}

impl Request {
    pub fn parse(line: &str) -> Result<Request, Value> {
        let json: Value =
            serde_json::from_str(line).map_err(|e| failure("", "driver", &format!("no JSON: {e}"), None, None))?;
        let word = |name: &str| json[name].as_str().map(String::from);
        match (word("id"), word("op")) {
            (Some(id), Some(op)) => {
                let params = if json["params"].is_null() { json!({}) } else { json["params"].clone() };
                Ok(Request { id, op, target: json["target"].clone(), params })
            }
            (id, _) => Err(failure(&id.unwrap_or_default(), "driver", "a request has an id and an op", None, None)),
        }
    }
}

pub fn failure(id: &str, kind: &str, message: &str, reason: Option<&str>, code: Option<i32>) -> Value {
    let mut error = json!({ "kind": kind, "message": message });
    if let Some(reason) = reason {
        error["type"] = json!(reason);
    }
    if let Some(code) = code {
        error["code"] = json!(code);
    }
    json!({ "id": id, "error": error })
}

enum Trouble {
    /// The request line could not be read as the SDK's own type.
    Line(String),
    Unknown,
    Card(A2AError),
    Answer(A2AError),
}

impl From<A2AError> for Trouble {
    fn from(error: A2AError) -> Self {
        Trouble::Answer(error)
    }
}

pub async fn answer(clients: &Clients, request: Request, lines: &Lines) {
    let id = request.id.clone();
    if let Err(trouble) = call(clients, request, lines).await {
        let _ = lines.send(match trouble {
            Trouble::Line(why) => failure(&id, "driver", &why, None, None),
            Trouble::Unknown => failure(&id, "unsupported", "no such operation in this SDK", None, None),
            Trouble::Card(error) => surfaced(&id, "transport", &error),
            // The SDK has one error type: what the network or its parser did not like is INTERNAL_ERROR without
            // details, and so is an agent's own internal error over some bindings. It is passed on as it came.
            Trouble::Answer(error) if error.code == error_code::INTERNAL_ERROR && error.details.is_none() => {
                surfaced(&id, "transport", &error)
            }
            Trouble::Answer(error) => surfaced(&id, "protocol", &error),
        });
    }
}

fn surfaced(id: &str, kind: &str, error: &A2AError) -> Value {
    failure(id, kind, &error.message, Some(error_reason(error.code)), Some(error.code))
}

async fn call(clients: &Clients, request: Request, lines: &Lines) -> Result<(), Trouble> {
    let Request { id, op, target, params } = request;
    if op == "card" {
        return tell(lines, &id, card(&target).await.map_err(Trouble::Card)?);
    }
    let client = clients.of(&target).await.map_err(Trouble::Card)?;
    let client: &Client = &client;
    match op.as_str() {
        "extendedCard" => tell(lines, &id, client.get_extended_agent_card(&typed(params)?).await?),
        "send" => tell(lines, &id, client.send_message(&typed(params)?).await?),
        "stream" => pass_on(lines, &id, client.send_streaming_message(&typed(params)?).await?).await,
        "get" => tell(lines, &id, client.get_task(&typed(params)?).await?),
        "list" => tell(lines, &id, client.list_tasks(&typed(params)?).await?),
        "cancel" => tell(lines, &id, client.cancel_task(&typed(params)?).await?),
        "subscribe" => pass_on(lines, &id, client.subscribe_to_task(&typed(params)?).await?).await,
        "push.create" => tell(lines, &id, client.create_push_config(&typed(params)?).await?),
        "push.get" => tell(lines, &id, client.get_push_config(&typed(params)?).await?),
        "push.list" => tell(lines, &id, client.list_push_configs(&typed(params)?).await?),
        "push.delete" => {
            client.delete_push_config(&typed(params)?).await?;
            tell(lines, &id, json!({}))
        }
        _ => Err(Trouble::Unknown),
    }
}

fn typed<T: DeserializeOwned>(params: Value) -> Result<T, Trouble> {
    serde_json::from_value(params).map_err(|e| Trouble::Line(format!("params: {e}")))
}

fn tell(lines: &Lines, id: &str, result: impl Serialize) -> Result<(), Trouble> {
    let result = serde_json::to_value(result).map_err(|e| Trouble::Line(format!("result: {e}")))?;
    let _ = lines.send(json!({ "id": id, "result": result }));
    Ok(())
}

async fn pass_on(
    lines: &Lines,
    id: &str,
    mut events: BoxStream<'static, Result<StreamResponse, A2AError>>,
) -> Result<(), Trouble> {
    while let Some(event) = events.next().await {
        let event = serde_json::to_value(event?).map_err(|e| Trouble::Line(format!("event: {e}")))?;
        let _ = lines.send(json!({ "id": id, "event": event }));
    }
    let _ = lines.send(json!({ "id": id, "done": true }));
    Ok(())
}
