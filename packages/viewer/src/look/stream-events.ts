import type { HarEntry } from "@assay/suite/report";

/** One event of a recorded stream. */
export interface StreamEvent {
  /** arrival time, in milliseconds since the request started */
  readonly at: number;
  /** the data of the event; absent over gRPC, whose messages are not text */
  readonly data?: string;
}

/** Returns the events of a streamed response, each with its time, or no events for any other response. */
export function streamEvents({ response }: HarEntry): StreamEvent[] {
  const { _arrivals: arrivals = [], content } = response;
  if (!/^text\/event-stream/i.test(content.mimeType)) return isStream(response) ? arrivals.map((at) => ({ at })) : [];
  const said = content.encoding === undefined ? dataIn(content.text) : [];
  return arrivals.map((at, index) => ({ at, ...(said[index] !== undefined && { data: said[index] }) }));
}

/** A unary gRPC call has one message, so only several messages make a stream. */
const isStream = ({ _arrivals: arrivals = [], content }: HarEntry["response"]): boolean =>
  /^application\/grpc/i.test(content.mimeType) && arrivals.length > 1;

/** Returns the data of each event that has some, parsed as the HTML standard defines event streams. */
function dataIn(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    if (line === "") {
      if (data.length) events.push(data.join("\n"));
      data = [];
    } else if (/^data(:|$)/.test(line)) data.push(line.slice(5).replace(/^ /, ""));
  }
  return events;
}

/** Describes an event in a few words: "status working", "artifact result", "error -32603". */
export function eventWords(data: string | undefined): string {
  const json = data === undefined ? undefined : objectIn(data);
  if (!json) return data === undefined ? "message" : "not a JSON object";
  const error = member(json, "error");
  if (error) return `error ${String(error["code"] ?? "")}`.trim();
  const said = member(json, "result") ?? json;
  const { task, message, statusUpdate, artifactUpdate } = {
    task: member(said, "task") ?? ofKind(said, "task"),
    message: member(said, "message") ?? ofKind(said, "message"),
    statusUpdate: member(said, "statusUpdate") ?? ofKind(said, "status-update"),
    artifactUpdate: member(said, "artifactUpdate") ?? ofKind(said, "artifact-update"),
  };
  if (task) return `task ${stateIn(task)}`.trim();
  if (statusUpdate) return `status ${stateIn(statusUpdate)}`.trim();
  if (artifactUpdate) return `artifact ${nameIn(artifactUpdate)}`.trim();
  return message ? "message" : "something else";
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const member = (json: Members, name: string): Members | undefined => {
  const value = json[name];
  return isMembers(value) ? value : undefined;
};

/** Before 1.0, an event names its own kind. */
const ofKind = (json: Members, kind: string): Members | undefined => (json["kind"] === kind ? json : undefined);

const stateIn = (json: Members): string => {
  const state = member(json, "status")?.["state"];
  return typeof state === "string" ? state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-") : "";
};

const nameIn = (json: Members): string => {
  const artifact = member(json, "artifact");
  const name = artifact?.["name"] ?? artifact?.["artifactId"];
  return typeof name === "string" ? name : "";
};

function objectIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
