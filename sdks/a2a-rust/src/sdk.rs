use serde_json::{Value, json};

/// The name and version of the SDK as the lockfile has them, which is what was compiled in.
pub fn identity() -> Value {
    const NAME: &str = "a2a-lf";
    let named = format!("name = \"{NAME}\"\nversion = \"");
    let version = include_str!("../Cargo.lock").split(&named).nth(1).and_then(|rest| rest.split('"').next());
    json!({ "name": NAME, "version": version.unwrap_or("unknown") })
}
