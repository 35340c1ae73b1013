use std::sync::Arc;
use std::time::Duration;

use a2a::*;
use a2a_client::A2AClientFactory;
use a2a_client::agent_card::AgentCardResolver;
use a2a_grpc::GrpcTransportFactory;
use axum::http::Uri;

pub struct Refused {
    pub state: &'static str,
    pub why: String,
}

/// `relay <cardUrl> <text>`: the texts of what the other agent answers.
pub async fn relay(message: &str) -> Result<String, Refused> {
    let mut words = message.trim_start().splitn(3, char::is_whitespace).skip(1);
    let (Some(address), Some(text)) = (words.next(), words.next()) else {
        return Err(Refused { state: "rejected", why: "[relay] Say: relay <cardUrl> <text>".into() });
    };
    let host = address.parse::<Uri>().ok().and_then(|uri| uri.host().map(String::from));
    if !host.is_some_and(|host| host == "127.0.0.1" || host == "[::1]") {
        return Err(Refused { state: "rejected", why: "[relay] Only agents on this machine are asked.".into() });
    }
    ask(address, text).await.map_err(|e| Refused { state: "failed", why: format!("[relay] {e}") })
}

async fn ask(address: &str, text: &str) -> Result<String, A2AError> {
    let base = address.strip_suffix(a2a_server::WELL_KNOWN_AGENT_CARD_PATH).unwrap_or(address);
    let card = AgentCardResolver::new(None).resolve(base).await?;
    let factory = A2AClientFactory::builder().register(Arc::new(GrpcTransportFactory::new())).build();
    let client = factory.create_from_card(&card).await?;
    let message = Message::new(Role::User, vec![Part::text(text)]);
    let request = SendMessageRequest { message, configuration: None, metadata: None, tenant: None };
    let mut task = match client.send_message(&request).await? {
        SendMessageResponse::Message(message) => return Ok(texts(&message.parts).join("\n")),
        SendMessageResponse::Task(task) => task,
    };
    while matches!(task.status.state, TaskState::Submitted | TaskState::Working) {
        tokio::time::sleep(Duration::from_millis(200)).await;
        task = client.get_task(&GetTaskRequest { id: task.id, history_length: None, tenant: None }).await?;
    }
    let artifacts = task.artifacts.iter().flatten().flat_map(|artifact| texts(&artifact.parts));
    let status = task.status.message.iter().flat_map(|message| texts(&message.parts));
    Ok(artifacts.chain(status).collect::<Vec<_>>().join("\n"))
}

fn texts(parts: &[Part]) -> Vec<&str> {
    parts.iter().filter_map(Part::as_text).collect()
}
