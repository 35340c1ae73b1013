use std::collections::HashMap;
use std::sync::Arc;

use a2a::{A2AError, TRANSPORT_PROTOCOL_GRPC, TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_JSONRPC};
use a2a_client::agent_card::AgentCardResolver;
use a2a_client::auth::AuthInterceptor;
use a2a_client::jsonrpc::JsonRpcTransportFactory;
use a2a_client::rest::RestTransportFactory;
use a2a_client::{A2AClient, A2AClientFactory, Transport, TransportFactory};
use a2a_grpc::GrpcTransportFactory;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::sync::Mutex;

pub type Client = A2AClient<Box<dyn Transport>>;

/// One client per target, as a program would keep one: the card is fetched once.
#[derive(Default)]
pub struct Clients {
    kept: Mutex<HashMap<String, Arc<Client>>>,
}

impl Clients {
    pub async fn of(&self, target: &Value) -> Result<Arc<Client>, A2AError> {
        let key = target.to_string();
        if let Some(client) = self.kept.lock().await.get(&key) {
            return Ok(client.clone());
        }
        let client = Arc::new(connect(target).await?);
        self.kept.lock().await.insert(key, client.clone());
        Ok(client)
    }
}

pub async fn card(target: &Value) -> Result<a2a::AgentCard, A2AError> {
    let mut headers = HeaderMap::new();
    for (name, value) in given_headers(target) {
        let broken = |what: &str| A2AError::invalid_params(format!("target.headers: {name}: no header {what}"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| broken("name"))?;
        headers.insert(name, HeaderValue::from_str(value).map_err(|_| broken("value"))?);
    }
    let http = reqwest::Client::builder().default_headers(headers).build();
    let http = http.map_err(|e| A2AError::internal(e.to_string()))?;
    AgentCardResolver::new(Some(http)).resolve(target["card"].as_str().unwrap_or_default()).await
}

fn given_headers(target: &Value) -> impl Iterator<Item = (&str, &str)> {
    let headers = target["headers"].as_object().into_iter().flatten();
    headers.map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
}

/// The factory is given one transport only: it would otherwise fall back to another binding without a word. Without a
/// binding it gets every transport, and chooses.
async fn connect(target: &Value) -> Result<Client, A2AError> {
    let transports: Vec<Arc<dyn TransportFactory>> = match target["binding"].as_str().unwrap_or_default() {
        "" => vec![rpc(), rest(), grpc()],
        TRANSPORT_PROTOCOL_JSONRPC => vec![rpc()],
        TRANSPORT_PROTOCOL_HTTP_JSON => vec![rest()],
        TRANSPORT_PROTOCOL_GRPC => vec![grpc()],
        binding => return Err(A2AError::unsupported_operation(format!("no transport for {binding}"))),
    };
    let mut factory = A2AClientFactory::builder().no_defaults();
    for transport in transports {
        factory = factory.register(transport);
    }
    for (name, value) in given_headers(target) {
        factory = factory.with_interceptor(Arc::new(AuthInterceptor::custom(name, value)));
    }
    factory.build().create_from_card(&card(target).await?).await
}

fn rpc() -> Arc<dyn TransportFactory> {
    Arc::new(JsonRpcTransportFactory::new(None))
}

fn rest() -> Arc<dyn TransportFactory> {
    Arc::new(RestTransportFactory::new(None))
}

fn grpc() -> Arc<dyn TransportFactory> {
    Arc::new(GrpcTransportFactory::new())
}
