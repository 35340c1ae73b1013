/** The text output of the tool of the contract's proof: one label and value per line, blocks closed by a blank line. */

export const shortState = (state = "") => state.replace("TASK_STATE_", "");

export const ended = (state) => /COMPLETED|FAILED|CANCELED|REJECTED/.test(state);
export const paused = (state) => /INPUT_REQUIRED|AUTH_REQUIRED/.test(state);

export function taskText({ id, contextId, status, artifacts = [] }, broken, { verbose = false, isOdd = false } = {}) {
  const lines = [
    `Task: ${id}`,
    ...(broken("OUT_001") || broken("INTERACT_004") ? [] : [`Context: ${contextId}`]),
    `State: ${isOdd ? status.state : shortState(status.state)}`,
    ...(verbose ? [`Updated: ${status.timestamp}`, `Artifacts: ${artifacts.length}`] : []),
    ...artifacts.flatMap(({ parts }) => parts.flatMap((part) => partLines(part, broken))),
  ];
  // Only lines before the first block are fields.
  if (isOdd) lines[1] = `  ${lines[1]}`;
  return broken("OUT_005") ? lines.map((line) => `\u001b[1m${line}\u001b[0m`) : lines;
}

export function partLines(part, broken) {
  if (part.text !== undefined) return ["Text:", part.text, ""];
  if (part.data !== undefined) return ["Data:", JSON.stringify(part.data, null, 2), ""];
  if (broken("SEND_004") || broken("TASK_GET_001")) return [];
  const size = Buffer.from(part.raw ?? "", "base64").length;
  return [`File: ${part.filename ?? part.url} (${part.mediaType}, ${size} bytes)`];
}

export const cardText = (card, signature) => [
  `Name: ${card.name}`,
  `Description: ${card.description}`,
  `Streaming: ${card.capabilities?.streaming ?? false}`,
  ...card.supportedInterfaces.map(({ protocolBinding, url }) => `Interface: ${protocolBinding} ${url}`),
  ...Object.keys(card.securitySchemes ?? {}).map((name) => `Security scheme: ${name}`),
  ...(card.skills ?? []).map(({ id }) => `Skill: ${id}`),
  `Signature: ${signature}`,
];

/** Applies an event of a stream to the task that it is about. */
export function applied(task, event) {
  if (event.task) return event.task;
  const { statusUpdate, artifactUpdate } = event;
  const { taskId, contextId } = statusUpdate ?? artifactUpdate ?? {};
  const known = task ?? { id: taskId, contextId, status: {}, artifacts: [] };
  if (statusUpdate) return { ...known, status: statusUpdate.status };
  if (artifactUpdate) return { ...known, artifacts: [...(known.artifacts ?? []), artifactUpdate.artifact] };
  return task;
}
