use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2a::*;
use a2a_server::{AgentExecutor, ExecutorContext};
use async_stream::stream;
use futures::stream::BoxStream;
use serde_json::Value;
use tokio::sync::Notify;

use crate::relay::relay;
use crate::skills::{Agent, Bed, Step};

/// Does the steps that skills.json has for a message, and tells the SDK's handler of each.
pub struct Interpreter {
    pub bed: Arc<Bed>,
    pub agent: Agent,
    pub time_scale: f64,
    /// The skills of tasks that wait for a further message.
    pub open: Arc<Mutex<HashMap<TaskId, String>>>,
    /// What ends the waits of tasks at work.
    pub at_work: Arc<Mutex<HashMap<TaskId, Arc<Notify>>>>,
}

impl Interpreter {
    pub fn new(bed: Arc<Bed>, agent: Agent, time_scale: f64) -> Self {
        Interpreter { bed, agent, time_scale, open: Arc::default(), at_work: Arc::default() }
    }

    /// The skill of the first word, where the agent has it.
    fn named(&self, text: &str) -> String {
        let word = text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let has = self.agent.skills.contains(&word) || self.agent.answers.contains(&word);
        if has { word } else { self.agent.otherwise.clone() }
    }

    fn steps(&self, task_id: &str, text: &str) -> Vec<Step> {
        let mut open = self.open.lock().unwrap();
        if let Some(skill) = open.get(task_id) {
            return self.bed.skills[skill].continued(text);
        }
        let skill = self.named(text);
        if !self.bed.skills[&skill].next.is_empty() {
            open.insert(task_id.to_string(), skill.clone());
        }
        self.bed.skills[&skill].steps.clone()
    }
}

impl AgentExecutor for Interpreter {
    fn execute(&self, ctx: ExecutorContext) -> BoxStream<'static, Result<StreamResponse, A2AError>> {
        let Some(message) = ctx.message.clone() else { return Box::pin(futures::stream::empty()) };
        let text = message.text().unwrap_or_default().to_string();
        let steps = self.steps(&ctx.task_id, &text);
        let tell = Teller { task_id: ctx.task_id.clone(), context_id: ctx.context_id.clone() };
        let stop = Arc::new(Notify::new());
        self.at_work.lock().unwrap().insert(ctx.task_id.clone(), stop.clone());
        let (at_work, time_scale) = (self.at_work.clone(), self.time_scale);
        Box::pin(stream! {
            for step in steps {
                match step {
                    Step::Message { text: words } => yield Ok(tell.message(&fill(&words, &text))),
                    Step::Begin if message.task_id.is_none() => yield Ok(tell.task(&message)),
                    Step::Begin => {}
                    Step::Status { state, text: words } => {
                        yield Ok(tell.status(&state, words.map(|words| fill(&words, &text))));
                    }
                    Step::Artifact { name, parts, append, last_chunk } => {
                        match parse_parts(&parts, &text) {
                            Ok(parts) => yield Ok(tell.artifact(&name, parts, append, last_chunk)),
                            Err(error) => yield Err(error),
                        }
                    }
                    Step::Wait { seconds, asked, at_least } => {
                        let seconds = asked.then(|| first_number(&text)).flatten().unwrap_or(seconds);
                        let scaled = (seconds * time_scale).max(at_least);
                        tokio::select! {
                            () = tokio::time::sleep(Duration::from_secs_f64(scaled)) => {}
                            () = stop.notified() => return,
                        }
                    }
                    Step::Relay { name } => match relay(&text).await {
                        Ok(answer) => yield Ok(tell.artifact(&name, vec![Part::text(answer)], None, None)),
                        Err(refused) => {
                            yield Ok(tell.status(refused.state, Some(refused.why)));
                            return;
                        }
                    },
                }
            }
            at_work.lock().unwrap().remove(&tell.task_id);
        })
    }

    fn cancel(&self, ctx: ExecutorContext) -> BoxStream<'static, Result<StreamResponse, A2AError>> {
        if let Some(stop) = self.at_work.lock().unwrap().remove(&ctx.task_id) {
            stop.notify_one();
        }
        let tell = Teller { task_id: ctx.task_id.clone(), context_id: ctx.context_id.clone() };
        let canceled = match (ctx.metadata, ctx.stored_task) {
            // Only a whole Task can carry the metadata of the request to the store: a status update's stay with it.
            (Some(metadata), Some(mut task)) if !metadata.is_empty() => {
                task.metadata.get_or_insert_default().extend(metadata);
                StreamResponse::Task(task)
            }
            _ => tell.status("canceled", None),
        };
        Box::pin(futures::stream::once(async { Ok(canceled) }))
    }
}

struct Teller {
    task_id: TaskId,
    context_id: String,
}

impl Teller {
    fn said(&self, text: &str) -> Message {
        let mut message = Message::new(Role::Agent, vec![Part::text(text)]);
        message.context_id = Some(self.context_id.clone());
        message
    }

    fn message(&self, text: &str) -> StreamResponse {
        StreamResponse::Message(self.said(text))
    }

    /// The handler keeps a submitted task from the start, but tells a stream of it only when the agent does.
    fn task(&self, from: &Message) -> StreamResponse {
        StreamResponse::Task(Task {
            id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            status: TaskStatus { state: TaskState::Submitted, message: None, timestamp: None },
            artifacts: None,
            history: Some(vec![from.clone()]),
            metadata: None,
        })
    }

    fn status(&self, state: &str, text: Option<String>) -> StreamResponse {
        let message = text.map(|text| Message { task_id: Some(self.task_id.clone()), ..self.said(&text) });
        StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            status: TaskStatus { state: parse_state(state), message, timestamp: None },
            metadata: None,
        })
    }

    fn artifact(&self, name: &str, parts: Vec<Part>, append: Option<bool>, last_chunk: Option<bool>) -> StreamResponse {
        StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: self.task_id.clone(),
            context_id: self.context_id.clone(),
            artifact: Artifact {
                artifact_id: name.to_string(),
                name: Some(name.to_string()),
                description: None,
                parts,
                metadata: None,
                extensions: None,
            },
            append: Some(append.unwrap_or(false)),
            last_chunk: Some(last_chunk.unwrap_or(true)),
            metadata: None,
        })
    }
}

fn fill(words: &str, text: &str) -> String {
    words.replace("{text}", text)
}

fn parse_parts(parts: &Value, text: &str) -> Result<Vec<Part>, A2AError> {
    let mut parts: Vec<Part> =
        serde_json::from_value(parts.clone()).map_err(|e| A2AError::internal(format!("skills.json: {e}")))?;
    for part in &mut parts {
        if let PartContent::Text(words) = &mut part.content {
            *words = fill(words, text);
        }
    }
    Ok(parts)
}

fn parse_state(state: &str) -> TaskState {
    match state {
        "working" => TaskState::Working,
        "completed" => TaskState::Completed,
        "failed" => TaskState::Failed,
        "canceled" => TaskState::Canceled,
        "rejected" => TaskState::Rejected,
        "input-required" => TaskState::InputRequired,
        "auth-required" => TaskState::AuthRequired,
        _ => TaskState::Unspecified,
    }
}

fn first_number(text: &str) -> Option<f64> {
    let from = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[from..].split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    digits.trim_end_matches('.').parse().ok()
}
