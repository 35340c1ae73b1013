import { isStreaming, type JsonValue } from "@assay/protocol";
import { reread } from "../bending/http.ts";
import { eachMember } from "../bending/json.ts";
import { nativeDialect } from "../http/dialects.ts";
import type { Caller } from "../http/gate.ts";
import { mutant } from "../mutant.ts";

const asksForVersion = ({ headers }: Caller): boolean => Boolean(headers["a2a-version"]);

export const versionMutants = [
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
    codec: (json, { dialect }) =>
      dialect.version === "0.3"
        ? eachMember(
            json,
            "state",
            (state): JsonValue => `TASK_STATE_${String(state).toUpperCase().replaceAll("-", "_")}`,
          )
        : json,
  }),
];
