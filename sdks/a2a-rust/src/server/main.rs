//! The agents of sdks/skills.json on the SDK's server, with its defaults: docs/drivers.md has the protocol.

mod executor;
mod relay;
mod skills;

#[path = "../sdk.rs"]
mod sdk;

use std::sync::Arc;

use a2a::*;
use a2a_grpc::GrpcHandler;
use a2a_pb::proto::a2a_service_server::A2aServiceServer;
use a2a_server::push::{HttpPushSender, HttpPushSenderConfig, InMemoryPushConfigStore};
use a2a_server::{DefaultRequestHandler, InMemoryTaskStore, StaticAgentCard};
use serde_json::{Map, json};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tonic::transport::server::TcpIncoming;

use executor::Interpreter;
use skills::{Agent, Bed};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let port: u16 = match std::env::args().skip_while(|word| word != "--port").nth(1) {
        Some(port) => port.parse()?,
        None => 0,
    };
    let path = std::env::var("ASSAY_SKILLS").unwrap_or_else(|_| "../skills.json".into());
    let bed: Arc<Bed> = Arc::new(serde_json::from_str(&std::fs::read_to_string(path)?)?);
    let time_scale = std::env::var("ASSAY_TIME_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1.0);

    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let origin = format!("http://{}", listener.local_addr()?);
    let mut app = axum::Router::new();
    let mut addresses = Map::new();
    for (id, agent) in &bed.agents {
        let address = format!("{origin}/{id}");
        let grpc = TcpListener::bind(("127.0.0.1", 0)).await?;
        let card = card(&bed, agent, &address, &format!("http://{}", grpc.local_addr()?));
        let interpreter = Interpreter::new(bed.clone(), agent.clone(), time_scale);
        let handler = Arc::new(handler(interpreter, &card));
        let service = A2aServiceServer::new(GrpcHandler::new(handler.clone()));
        tokio::spawn(
            tonic::transport::Server::builder().add_service(service).serve_with_incoming(TcpIncoming::from(grpc)),
        );
        app = app.nest(
            &format!("/{id}"),
            a2a_server::jsonrpc::jsonrpc_router(handler.clone())
                .merge(a2a_server::rest::rest_router(handler))
                .merge(a2a_server::agent_card::agent_card_router(Arc::new(StaticAgentCard::new(card)))),
        );
        addresses.insert(id.clone(), json!(address));
    }
    tokio::spawn(async move { axum::serve(listener, app).await });
    println!("{}", json!({ "ready": true, "sdk": sdk::identity(), "agents": addresses }));
    told_to_end().await?;
    std::process::exit(0);
}

fn card(bed: &Bed, agent: &Agent, address: &str, grpc: &str) -> AgentCard {
    let skills = agent.skills.iter().map(|id| {
        let skill = &bed.skills[id];
        AgentSkill {
            id: id.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            tags: skill.tags.clone(),
            examples: None,
            input_modes: None,
            output_modes: None,
            security_requirements: None,
        }
    });
    AgentCard {
        name: agent.name.clone(),
        description: agent.description.clone(),
        version: sdk::identity()["version"].as_str().unwrap_or_default().to_string(),
        supported_interfaces: vec![
            AgentInterface::new(address, TRANSPORT_PROTOCOL_JSONRPC),
            AgentInterface::new(address, TRANSPORT_PROTOCOL_HTTP_JSON),
            AgentInterface::new(grpc, TRANSPORT_PROTOCOL_GRPC),
        ],
        capabilities: AgentCapabilities {
            streaming: Some(agent.streaming),
            push_notifications: Some(agent.push),
            extensions: None,
            extended_agent_card: Some(false),
        },
        default_input_modes: agent.input_modes.clone(),
        default_output_modes: agent.output_modes.clone(),
        skills: skills.collect(),
        provider: None,
        documentation_url: None,
        icon_url: None,
        security_schemes: None,
        security_requirements: None,
        signatures: None,
    }
}

fn handler(interpreter: Interpreter, card: &AgentCard) -> DefaultRequestHandler {
    let push = interpreter.agent.push;
    let handler = DefaultRequestHandler::new(interpreter, InMemoryTaskStore::new())
        .with_capabilities(card.capabilities.clone())
        .with_default_input_modes(card.default_input_modes.clone());
    if !push {
        return handler;
    }
    // By default the sender refuses to post to loopback; webhooks of a test listen nowhere else.
    let sender = HttpPushSender::new(Some(HttpPushSenderConfig { validate_urls: false, ..Default::default() }));
    handler.with_push_notifications(InMemoryPushConfigStore::new(), sender)
}

async fn told_to_end() -> Result<(), Failure> {
    let mut terminated = signal(SignalKind::terminate())?;
    let mut rest = Vec::new();
    let mut stdin = tokio::io::stdin();
    tokio::select! {
        _ = terminated.recv() => {}
        _ = stdin.read_to_end(&mut rest) => {}
    }
    Ok(())
}
