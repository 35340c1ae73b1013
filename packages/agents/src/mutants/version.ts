import { A2AError, isObject, isStreaming, type JsonObject, type JsonValue } from "@assay/protocol";
import { reread } from "../bending/http.ts";
import { answerOf, eachMember, inJson } from "../bending/json.ts";
import { nativeDialect } from "../http/dialects.ts";
import type { Caller, Gate } from "../http/gate.ts";
import { mutant } from "../mutant.ts";

const asksForVersion = ({ headers }: Caller): boolean => Boolean(headers["a2a-version"]);

/** Requests are taken for ones with another version, or another place for it. */
const asIf =
  (change: (caller: Caller) => Caller) =>
  (gate: Gate): Gate => ({
    ...gate,
    version: (caller, agent) => gate.version(change(caller), agent),
    dialect: (caller, agent, method) => gate.dialect(change(caller), agent, method),
  });

/** Where the version is this one, it is taken for 1.0. */
const takes = (is: (version: string | undefined) => boolean) =>
  asIf((caller) => {
    const version = caller.headers["a2a-version"] ?? /A2A-Version=([^&]*)/.exec(caller.query ?? "")?.[1];
    return is(version === undefined ? undefined : String(version))
      ? { ...caller, headers: { ...caller.headers, "a2a-version": "1.0" } }
      : caller;
  });

export const versionMutants = [
  mutant("VER-004.header-only", "full", "Looks for the version in the header alone.", {
    gate: asIf(({ headers, signal }) => ({ headers, signal })),
  }),

  mutant("VER-006.old-forms", "spec", "Answers a message of 1.0 with the task as 0.3 wrote it.", {
    codec: inJson((json, written) =>
      written.dialect.version !== "1.0"
        ? json
        : answerOf("SendMessage", (answer) =>
            isObject(answer["task"]) ? { kind: "task", ...(answer["task"] as JsonObject) } : answer,
          )(json, written),
    ),
  }),

  mutant("VER-007.newest", "full", "Takes an empty version for the newest one.", {
    gate: takes((version) => version === ""),
  }),

  mutant("VER-008.newest", "full", "Takes a missing version for the newest one.", {
    gate: takes((version) => version === undefined),
  }),

  mutant("VER-009.patch", "spec", "Its card names the version of the protocol with a patch number.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).map((each) => ({
        ...each,
        protocolVersion: `${String(each["protocolVersion"])}.0`,
      })),
    }),
  }),

  mutant("VER-010.stumbles", "full", "Breaks down over a version with a patch number.", {
    gate: asIf((caller) => {
      if (/^\d+\.\d+\.\d+$/.test(String(caller.headers["a2a-version"])))
        throw new A2AError("Internal", "cannot read properties of undefined");
      return caller;
    }),
  }),

  mutant("VER-011.major-only", "full", "Looks at the major version alone.", {
    gate: takes((version) => version?.startsWith("1.") ?? false),
  }),

  mutant("VER-005.any", "full", "Serves requests for any version as if they were for 1.0.", {
    gate: (gate) => ({
      ...gate,
      version: (caller, agent) => (asksForVersion(caller) ? undefined : gate.version(caller, agent)),
      dialect: (caller, agent, method) =>
        asksForVersion(caller) ? nativeDialect(agent) : gate.dialect(caller, agent, method),
    }),
  }),

  mutant("VER-013.streams-unchecked", "full", "Looks at no version where a stream is asked for over JSON-RPC.", {
    gate: (gate) => ({
      ...gate,
      dialect(caller, agent, method) {
        const native = nativeDialect(agent);
        const operation = native.operationOf(method);
        return operation && isStreaming(operation) ? native : gate.dialect(caller, agent, method);
      },
    }),
  }),

  mutant("VER-014.exact-spelling", "full", "Finds the version only in a header spelled A2A-Version.", {
    http: reread(({ headers, rawHeaders }) => {
      if (rawHeaders.includes("A2A-Version")) return {};
      const { "a2a-version": _version, ...others } = headers;
      return { headers: others };
    }),
  }),

  mutant("VER-017.new-names", "spec", "Writes the states of tasks as 1.0 does to clients that speak 0.3.", {
    // Over HTTP+JSON and gRPC 0.3 had these names already.
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
