//! One JSON request a line on stdin, the SDK's answer a line on stdout: docs/drivers.md has the protocol.

mod call;
mod target;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

#[path = "../sdk.rs"]
mod sdk;

pub type Lines = UnboundedSender<Value>;

/// What hangs up each call that is under way.
type Running = Arc<Mutex<HashMap<String, oneshot::Sender<()>>>>;

#[tokio::main]
async fn main() {
    let (lines, mut written) = unbounded_channel::<Value>();
    let writer = tokio::spawn(async move {
        let mut stdout = tokio::io::stdout();
        while let Some(line) = written.recv().await {
            let _ = stdout.write_all(format!("{line}\n").as_bytes()).await;
            let _ = stdout.flush().await;
        }
    });
    let _ = lines.send(json!({ "ready": true, "sdk": sdk::identity(), "model": "1.0" }));

    let running: Running = Arc::default();
    let clients = Arc::new(target::Clients::default());
    let mut requests = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(line)) = requests.next_line().await {
        match call::Request::parse(&line) {
            Err(answer) => drop(lines.send(answer)),
            Ok(request) if request.op == "close" => drop(lines.send(close(&running, &request))),
            Ok(request) => start(&running, clients.clone(), request, lines.clone()),
        }
    }
    running.lock().unwrap().clear();
    drop(lines);
    let _ = writer.await;
}

fn start(running: &Running, clients: Arc<target::Clients>, request: call::Request, lines: Lines) {
    let id = request.id.clone();
    let (hang_up, hung_up) = oneshot::channel::<()>();
    running.lock().unwrap().insert(id.clone(), hang_up);
    let running = running.clone();
    tokio::spawn(async move {
        // Dropping the future drops the stream, which is how this SDK lets a program hang up.
        tokio::select! {
            () = call::answer(&clients, request, &lines) => {}
            closed = hung_up => {
                if closed.is_ok() {
                    let _ = lines.send(json!({ "id": id, "done": true }));
                }
            }
        }
        running.lock().unwrap().remove(&id);
    });
}

fn close(running: &Running, request: &call::Request) -> Value {
    let hang_up = request.params["id"].as_str().and_then(|id| running.lock().unwrap().remove(id));
    match hang_up.map(|hang_up| hang_up.send(())) {
        Some(Ok(())) => json!({ "id": request.id, "result": {} }),
        _ => call::failure(&request.id, "driver", "close: params.id names no running call", None, None),
    }
}
