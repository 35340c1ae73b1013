import { A2AError, type GetTaskRequest } from "@assay/protocol";
import { nativeDialect } from "../http/dialects.ts";
import type { Caller } from "../http/gate.ts";
import type { Layers } from "../layers.ts";
import { type Divergence, variant } from "../mutant.ts";

const namesNone = ({ headers }: Caller): boolean => !headers["a2a-version"];

/** Notes at the gate that a version is not spoken, and says so only once the task has been found. */
function taskFirst(): Layers {
  const refused = new WeakMap<AbortSignal, A2AError>();
  /** What the gate would do, or the other thing when it would refuse. */
  const noted = <T>({ signal }: Caller, act: () => T, otherwise: () => T): T => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof A2AError) || error.kind !== "VersionNotSupported") throw error;
      refused.set(signal, error);
      return otherwise();
    }
  };
  return {
    gate: (gate) => ({
      ...gate,
      version: (caller, agent) =>
        noted(
          caller,
          () => gate.version(caller, agent),
          () => undefined,
        ),
      dialect: (caller, agent, method) =>
        noted(
          caller,
          () => gate.dialect(caller, agent, method),
          () => nativeDialect(agent),
        ),
    }),
    operations: (perform) => async (host, operation, request, invocation) => {
      const error = refused.get(invocation.signal);
      if (!error) return perform(host, operation, request, invocation);
      if (operation === "GetTask" || operation === "CancelTask")
        await perform(host, "GetTask", { id: (request as GetTaskRequest).id }, invocation);
      throw error;
    },
  };
}

/** Versions and extensions, where the specification leaves a choice. */
export const versionVariants = [
  // AMB-10: harsh on hand-made requests otherwise; dotnet takes them too.
  variant("version-optional", "full", "A request that names no version is served as 1.0.", {
    gate: (gate) => ({
      ...gate,
      version: (caller, agent) => (namesNone(caller) ? undefined : gate.version(caller, agent)),
      dialect: (caller, agent, method) =>
        namesNone(caller) ? nativeDialect(agent) : gate.dialect(caller, agent, method),
    }),
  }),

  // AMB-11: java compares the major number alone.
  variant("any-minor", "full", "A request for another minor version is served as 1.0.", {
    gate: (gate) => {
      const isOne = ({ headers }: Caller): boolean => /^1\.\d+$/.test(String(headers["a2a-version"] ?? ""));
      return {
        ...gate,
        version: (caller, agent) => (isOne(caller) ? undefined : gate.version(caller, agent)),
        dialect: (caller, agent, method) =>
          isOne(caller) ? nativeDialect(agent) : gate.dialect(caller, agent, method),
      };
    },
  }),

  // AMB-34: which of two faults is told first is not said.
  {
    id: "task-before-version",
    base: "full",
    does: "A task that is not there is told before a version that is not spoken.",
    differs: () => ({ layers: taskFirst() }),
  } satisfies Divergence,
];
