import { A2AError, type GetTaskRequest } from "@assay/protocol";
import type { RequestHead } from "../definition/admission.ts";
import { type Divergence, full } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { nativeDialect } from "../server/dialects.ts";

const namesNone = ({ headers }: RequestHead): boolean => !headers["a2a-version"];

/** Records an unsupported version at admission, and reports it only once the task is found. */
function taskFirst(): Layers {
  const refused = new WeakMap<AbortSignal, A2AError>();
  /** Runs an admission step, or the alternative if it rejects. */
  const noted = <T>({ signal }: RequestHead, act: () => T, otherwise: () => T): T => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof A2AError) || error.kind !== "VersionNotSupported") throw error;
      refused.set(signal, error);
      return otherwise();
    }
  };
  return {
    admission: (admission) => ({
      ...admission,
      version: (head, agent) =>
        noted(
          head,
          () => admission.version(head, agent),
          () => undefined,
        ),
      dialect: (head, agent, method) =>
        noted(
          head,
          () => admission.dialect(head, agent, method),
          () => nativeDialect(agent),
        ),
    }),
    operations: (perform) => async (operation, request, invocation) => {
      const error = refused.get(invocation.client.signal);
      if (!error) return perform(operation, request, invocation);
      if (operation === "GetTask" || operation === "CancelTask")
        await perform("GetTask", { id: (request as GetTaskRequest).id }, invocation);
      throw error;
    },
  };
}

/** Versions and extensions, where the specification leaves a choice. */
export const versionVariants = [
  // AMB-10: rejecting them would be harsh on requests written by hand. The .NET SDK accepts them, too.
  full("version-optional", "A request without a version is served as 1.0.", {
    admission: (admission) => ({
      ...admission,
      version: (head, agent) => (namesNone(head) ? undefined : admission.version(head, agent)),
      dialect: (head, agent, method) =>
        namesNone(head) ? nativeDialect(agent) : admission.dialect(head, agent, method),
    }),
  }),

  // AMB-11: the Java SDK compares only the major number.
  full("any-minor", "A request for another minor version is served as 1.0.", {
    admission: (admission) => {
      const isOne = ({ headers }: RequestHead): boolean => /^1\.\d+$/.test(String(headers["a2a-version"] ?? ""));
      return {
        ...admission,
        version: (head, agent) => (isOne(head) ? undefined : admission.version(head, agent)),
        dialect: (head, agent, method) => (isOne(head) ? nativeDialect(agent) : admission.dialect(head, agent, method)),
      };
    },
  }),

  // AMB-34: the specification does not order two simultaneous errors.
  full("task-before-version", "Reports a missing task before an unsupported version.", () =>
    taskFirst(),
  ) satisfies Divergence,
];
