//! sdks/skills.json as it stands: what the agents of the test bed are and do.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub struct Bed {
    pub agents: HashMap<String, Agent>,
    pub skills: HashMap<String, Skill>,
}

#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub name: String,
    pub description: String,
    pub streaming: bool,
    pub push: bool,
    pub input_modes: Vec<String>,
    pub output_modes: Vec<String>,
    pub skills: Vec<String>,
    pub answers: Vec<String>,
    pub otherwise: String,
}

#[derive(Deserialize)]
pub struct Skill {
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    pub steps: Vec<Step>,
    #[serde(default)]
    pub next: Vec<Next>,
}

#[derive(Deserialize)]
pub struct Next {
    pub contains: Option<String>,
    pub steps: Vec<Step>,
}

#[derive(Deserialize, Clone)]
#[serde(tag = "do", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Step {
    Message {
        text: String,
    },
    Begin,
    Status {
        state: String,
        text: Option<String>,
    },
    Artifact {
        name: String,
        parts: Value,
        append: Option<bool>,
        last_chunk: Option<bool>,
    },
    Wait {
        seconds: f64,
        #[serde(default)]
        asked: bool,
        #[serde(default)]
        at_least: f64,
    },
    Relay {
        name: String,
    },
}

impl Skill {
    /// The steps for a message that continues a task of this skill.
    pub fn continued(&self, text: &str) -> Vec<Step> {
        let text = text.to_lowercase();
        let fits = |next: &&Next| next.contains.as_ref().is_none_or(|word| text.contains(&word.to_lowercase()));
        self.next.iter().find(fits).map(|next| next.steps.clone()).unwrap_or_default()
    }
}
