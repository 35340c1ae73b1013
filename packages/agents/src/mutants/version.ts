import { A2AError, isObject, isStreaming, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Admission, RequestHead } from "../definition/admission.ts";
import { full, spec } from "../definition/divergence.ts";
import { changeRequests } from "../mutation/http.ts";
import { answerOf, eachMember, inJson } from "../mutation/json.ts";
import { nativeDialect } from "../server/dialects.ts";

const asksForVersion = ({ headers }: RequestHead): boolean => Boolean(headers["a2a-version"]);

/** Changes the version of requests, or its place. */
const asIf =
  (change: (head: RequestHead) => RequestHead) =>
  (admission: Admission): Admission => ({
    ...admission,
    version: (head, agent) => admission.version(change(head), agent),
    dialect: (head, agent, method) => admission.dialect(change(head), agent, method),
  });

/** Treats this version as 1.0. */
const takes = (is: (version: string | undefined) => boolean) =>
  asIf((head) => {
    const version = head.headers["a2a-version"] ?? /A2A-Version=([^&]*)/.exec(head.query ?? "")?.[1];
    return is(version === undefined ? undefined : String(version))
      ? { ...head, headers: { ...head.headers, "a2a-version": "1.0" } }
      : head;
  });

/** Serves every version as that of the agent. */
const anyVersion = (admission: Admission): Admission => ({
  ...admission,
  version: (head, agent) => (asksForVersion(head) ? undefined : admission.version(head, agent)),
  dialect: (head, agent, method) =>
    asksForVersion(head) ? nativeDialect(agent) : admission.dialect(head, agent, method),
});

export const versionMutants = [
  full("CARD-042.serves-more", "The agent also serves version 1.1, but its card does not list it.", {
    admission: takes((version) => version === "1.1"),
  }),

  full("VER-019.serves-more", "An interface that serves 1.1 declares only 1.0.", {
    admission: takes((version) => version === "1.1"),
  }),

  full("VER-004.header-only", "The agent ignores the version in the query and reads only the header.", {
    admission: asIf(({ headers, remoteAddress, certificate, signal }) => ({
      headers,
      remoteAddress,
      certificate,
      signal,
    })),
  }),

  spec("VER-006.old-forms", "SendMessage in 1.0 returns a task in the form of 0.3.", {
    codec: inJson((json, written) =>
      written.dialect.version !== "1.0"
        ? json
        : answerOf("SendMessage", (answer) =>
            isObject(answer["task"]) ? { kind: "task", ...(answer["task"] as JsonObject) } : answer,
          )(json, written),
    ),
  }),

  full("VER-007.newest", "The agent treats an empty A2A-Version as its newest version.", {
    admission: takes((version) => version === ""),
  }),

  full("VER-008.newest", "The agent treats a missing A2A-Version as its newest version.", {
    admission: takes((version) => version === undefined),
  }),

  spec("VER-009.patch", "The card wrongly has a patch number in its protocolVersion.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).map((each) => ({
        ...each,
        protocolVersion: `${String(each["protocolVersion"])}.0`,
      })),
    }),
  }),

  full("VER-010.stumbles", "A2A-Version with a patch number gets an internal error.", {
    admission: asIf((head) => {
      if (/^\d+\.\d+\.\d+$/.test(String(head.headers["a2a-version"])))
        throw new A2AError("Internal", "cannot read properties of undefined");
      return head;
    }),
  }),

  full("VER-010.exact", "Rejects a version with a patch number.", {
    admission: asIf((head) => {
      if (/^\d+\.\d+\.\d+$/.test(String(head.headers["a2a-version"])))
        throw new A2AError("VersionNotSupported", "A version is major and minor alone");
      return head;
    }),
  }),

  full("VER-011.major-only", "The agent compares only the major number of A2A-Version.", {
    admission: takes((version) => version?.startsWith("1.") ?? false),
  }),

  full("VER-005.any", "The agent ignores an unsupported A2A-Version and processes the request.", {
    admission: anyVersion,
  }),

  full("VER-005.any-without-list", "Has no ListTasks over JSON-RPC, and serves any version as 1.0.", {
    admission: (admission) => {
      const any = anyVersion(admission);
      return {
        ...any,
        dialect(head, agent, method) {
          if (method === "ListTasks") throw new A2AError("UnsupportedOperation", "This agent lists no tasks");
          return any.dialect(head, agent, method);
        },
      };
    },
  }),

  full("VER-013.streams-unchecked", "Streaming operations over JSON-RPC ignore A2A-Version.", {
    admission: (admission) => ({
      ...admission,
      dialect(head, agent, method) {
        const native = nativeDialect(agent);
        const operation = native.operationOf(method);
        return operation && isStreaming(operation) ? native : admission.dialect(head, agent, method);
      },
    }),
  }),

  full("VER-014.exact-spelling", "The agent finds the version only in a header spelled A2A-Version.", {
    http: changeRequests(({ headers, rawHeaders }) => {
      if (rawHeaders.includes("A2A-Version")) return {};
      const { "a2a-version": _version, ...others } = headers;
      return { headers: others };
    }),
  }),

  spec("VER-017.new-names", "Responses to 0.3 clients contain state names of 1.0.", {
    // 0.3 used these names over HTTP+JSON and gRPC too.
    codec: (json, { dialect, binding }) =>
      dialect.version === "0.3" && binding === "JSONRPC"
        ? eachMember(
            json,
            "state",
            (state): JsonValue => `TASK_STATE_${String(state).toUpperCase().replaceAll("-", "_")}`,
          )
        : json,
  }),
];
