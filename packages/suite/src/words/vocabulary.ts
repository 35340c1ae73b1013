import {
  type Binding,
  type Dialect,
  type DialectVersion,
  enumNames,
  type Operation,
  operations,
  type Role,
  type TaskState,
  v01,
  v02,
  v03,
  v03Proto,
  writeRole,
  writeState,
} from "@assay/protocol";

/** Which version an agent is judged in, and over which binding; cards are of none. */
export interface Wording {
  readonly dialect: DialectVersion;
  readonly binding?: Binding | undefined;
}

/**
 * A sentence of ours in the words of the version that is judged. Checks speak as 1.0 does (ADR 7); what 1.0 renamed has one
 * older name each, and that is put in its place. What stands in quotation marks was said by the agent, or is to be said
 * just so: it stays, and so does a word that the agent wrote itself, of whichever version it is.
 */
export function inWordsOf(wording: Wording, text: string, wrote: (word: string) => boolean = () => false): string {
  const words = vocabularyFor(wording);
  if (!words) return text;
  const numbered = text.replace(wording.binding === undefined || wording.binding === "JSONRPC" ? others : reason, "$1");
  return numbered
    .split(/("[^"]*")/)
    .map((piece, index) =>
      index % 2 ? piece : piece.replace(words.pattern, (word) => (wrote(word) ? word : words.of.get(word)!)),
    )
    .join("");
}

/** Before 1.0 no text has reasons, and none but JSON-RPC has numbers. */
const reason = /(-32\d{3}\b[^.]*), with the reason [A-Z_]+/g;
const others = /(-32\d{3}\b)(?:, HTTP \d{3})?(?:(?:,| or) (?:gRPC )?[A-Z][A-Z_]{4,}\b)?(?:, with the reason [A-Z_]+)?/g;

interface Vocabulary {
  readonly of: ReadonlyMap<string, string>;
  readonly pattern: RegExp;
}

function vocabularyFor({ dialect, binding }: Wording): Vocabulary | undefined {
  if (dialect === "1.0") return undefined;
  // Of 0.3 the bindings besides JSON-RPC write another model, that of its .proto.
  return vocabularies[binding === "HTTP+JSON" || binding === "GRPC" ? "proto" : dialect];
}

/** Names of members and events, by 1.0's; where a member says the opposite, by what is said with it. */
const before10 = {
  mediaType: "mimeType",
  "capabilities.extendedAgentCard": "supportsAuthenticatedExtendedCard",
  ExtendedAgentCardNotConfigured: "AuthenticatedExtendedCardNotConfigured",
  ExtendedAgentCardNotConfiguredError: "AuthenticatedExtendedCardNotConfiguredError",
  "configuration.taskPushNotificationConfig": "configuration.pushNotificationConfig",
  "one StreamResponse": "one event",
  StreamResponse: "the event",
  "with returnImmediately": "with blocking: false",
};

const tagged = { ...before10, statusUpdate: "status-update", artifactUpdate: "artifact-update" };

const earliest = {
  ...before10,
  statusUpdate: "status update",
  artifactUpdate: "artifact update",
  contextId: "sessionId",
  "configuration.taskPushNotificationConfig": "pushNotification",
  "configuration.historyLength": "historyLength",
};

const { StreamResponse: _event, "one StreamResponse": _events, ...ofProto } = before10;

type Names = Readonly<Record<string, string>>;

const states = enumNames("TaskState") as readonly TaskState[];
const roles = ["ROLE_USER", "ROLE_AGENT"] as const satisfies readonly Role[];
/** As JSON-RPC wrote them until 1.0. */
const enumWords: Names = Object.fromEntries([
  ...states.map((state) => [state, writeState(state)]),
  ...roles.map((role) => [role, writeRole(role)]),
]);

const vocabularies: Readonly<Record<Exclude<DialectVersion, "1.0"> | "proto", Vocabulary>> = {
  "0.3": vocabulary(v03, { ...tagged, ...enumWords }),
  "0.2": vocabulary(v02, { ...tagged, ...enumWords }),
  "0.1": vocabulary(v01, { ...earliest, ...enumWords }),
  // Its states and roles are those of 1.0 but for one letter.
  proto: vocabulary(v03Proto, { ...ofProto, TASK_STATE_CANCELED: "TASK_STATE_CANCELLED" }),
};

function vocabulary(dialect: Dialect, names: Names): Vocabulary {
  const methods = (Object.keys(operations) as Operation[]).flatMap((operation): [string, string][] => {
    const method = dialect.methodOf(operation);
    return method === undefined ? [] : [[operation, method]];
  });
  const of = new Map([...methods, ...Object.entries(names)]);
  // The longest first: one name may be the beginning of another. What is said of 1.0 stays: "speaks 1.0 (SendMessage)".
  const words = [...of.keys()].toSorted((one, other) => other.length - one.length);
  return { of, pattern: new RegExp(`(?<![\\w.]|1\\.0 \\()(?:${words.join("|").replaceAll(".", "\\.")})(?!\\w)`, "g") };
}
