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

/** The version and binding in which an agent is judged. Cards have no binding. */
export interface Wording {
  readonly dialect: DialectVersion;
  readonly binding?: Binding | undefined;
}

/**
 * Returns a sentence with the names of the judged version. Checks use the names of 1.0 (ADR 7), and each renamed
 * member has one older name. Quoted text stays unchanged, and so does a word that the agent wrote.
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

/** Before 1.0 errors have no reasons, and only JSON-RPC has numbers. */
const reason = /(-32\d{3}\b[^.]*), with the reason [A-Z_]+/g;
const others = /(-32\d{3}\b)(?:, HTTP \d{3})?(?:(?:,| or) (?:gRPC )?[A-Z][A-Z_]{4,}\b)?(?:, with the reason [A-Z_]+)?/g;

interface Vocabulary {
  readonly of: ReadonlyMap<string, string>;
  readonly pattern: RegExp;
}

function vocabularyFor({ dialect, binding }: Wording): Vocabulary | undefined {
  if (dialect === "1.0") return undefined;
  // In 0.3 the bindings besides JSON-RPC use the model of its .proto.
  return vocabularies[binding === "HTTP+JSON" || binding === "GRPC" ? "proto" : dialect];
}

/** Names of members and events by those of 1.0; if a member has the opposite meaning, by its value. */
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
/** The words of enums in JSON-RPC before 1.0. */
const enumWords: Names = Object.fromEntries([
  ...states.map((state) => [state, writeState(state)]),
  ...roles.map((role) => [role, writeRole(role)]),
]);

const vocabularies: Readonly<Record<Exclude<DialectVersion, "1.0"> | "proto", Vocabulary>> = {
  "0.3": vocabulary(v03, { ...tagged, ...enumWords }),
  "0.2": vocabulary(v02, { ...tagged, ...enumWords }),
  "0.1": vocabulary(v01, { ...earliest, ...enumWords }),
  // Its states and roles are those of 1.0 except for one letter.
  proto: vocabulary(v03Proto, { ...ofProto, TASK_STATE_CANCELED: "TASK_STATE_CANCELLED" }),
};

function vocabulary(dialect: Dialect, names: Names): Vocabulary {
  const methods = (Object.keys(operations) as Operation[]).flatMap((operation): [string, string][] => {
    const method = dialect.methodOf(operation);
    return method === undefined ? [] : [[operation, method]];
  });
  const of = new Map([...methods, ...Object.entries(names)]);
  // Longest first, because one name may start another. Statements about 1.0 stay: "speaks 1.0 (SendMessage)".
  const words = [...of.keys()].toSorted((one, other) => other.length - one.length);
  return { of, pattern: new RegExp(`(?<![\\w.]|1\\.0 \\()(?:${words.join("|").replaceAll(".", "\\.")})(?!\\w)`, "g") };
}
