import { type JsonObject, type Operation, type UnaryOperation, versionHeader } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { matches } from "../answers/expect-error.ts";
import { hasOperation } from "../answers/operations-of.ts";
import { errorOf, isEnded } from "../answers/reading.ts";
import { isPage } from "../answers/served.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { How, Target } from "../define/target.ts";
import { firstContact } from "./first-contact.ts";
import { isSameError } from "./send-to-unknown-task.ts";
import { ask, paramsFor } from "./unknown-task.ts";

/** A call in a protocol version that does not exist. */
export interface AskedInVersion {
  readonly operation: Operation;
  readonly call: Call;
}

export const withVersion =
  (version: string | undefined) =>
  (headers: HeaderPairs): HeaderPairs => [
    ...headers.filter(([name]) => name.toLowerCase() !== versionHeader.toLowerCase()),
    ...(version === undefined ? [] : [[versionHeader, version] as const]),
  ];

/** Sends version 99.0, which no agent may serve (AMB-11), in a read and in a write. */
export const otherVersion = observation<readonly AskedInVersion[]>("calls in version 99.0", {
  make: (target) =>
    Promise.all(
      // Before 1.0 requests named no version.
      (target.on.dialect === "1.0" ? (["GetTask", "ListTasks", "CancelTask"] as const) : []).map(async (operation) => {
        const params = paramsFor(target, operation);
        const how = { edit: withVersion("99.0"), fair: false, share: inVersionOf("99.0", params) };
        return { operation, call: await ask(target, operation, params, how) };
      }),
    ),
});

/** Returns the name under which checks share a request in another version. */
export const inVersionOf = (version: string | undefined, params: JsonObject): string =>
  JSON.stringify(["version", version, params]);

/** Returns true if the agent served the call, at least up to the search for a task. */
export function isTaken(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return call.reply.is === "result";
  return error.grpc ? error.grpc.status === "NOT_FOUND" : error.code === -32001 || error.http === 404;
}

const isRefused = ({ call }: AskedInVersion): boolean => matches(call, "VersionNotSupported") !== undefined;

/**
 * Returns true if the interface ignores the version altogether, which VER-005 counts as one fault. Only ListTasks can
 * show it: the others may look for the task before or after the version (AMB-34).
 */
export const looksAtNoVersion = (asked: readonly AskedInVersion[]): boolean =>
  !asked.some(isRefused) && asked.some(({ operation, call }) => operation === "ListTasks" && isTaken(call));

/** A plain call without cost, to be repeated with other headers. */
export interface ControlCall {
  readonly operation: UnaryOperation;
  readonly params: JsonObject;
  /** the response without changes */
  readonly control: Call;
}

export const controlCall = observation<ControlCall>("a plain call to compare with", {
  uses: [firstContact],
  async make(target) {
    // A successful call shows more than a rejected one.
    const params = { pageSize: 1 };
    const listed = hasOperation(target.on, "ListTasks")
      ? await target.call("ListTasks", params, { share: "plain" })
      : undefined;
    if (listed?.reply.is === "result") return { operation: "ListTasks", params, control: listed };
    // If lists are rejected, reads an existing task.
    const known = target.knownTask(({ state }) => isEnded(state));
    const read = known && (await target.call("GetTask", { id: known.id }));
    if (read?.reply.is === "result") return { operation: "GetTask", params: { id: known!.id }, control: read };
    const id = target.unknownId();
    return { operation: "GetTask", params: { id }, control: await target.call("GetTask", { id }) };
  },
});

export const askAgain = (target: Target, { operation, params }: ControlCall, how: How): Promise<Call> =>
  target.call(operation, params, how);

/** Returns true if the response is the same as without the change. */
export const isServed = ({ control }: ControlCall, call: Call): boolean =>
  control.reply.is === "result"
    ? call.reply.is === "result"
    : isSameError(call, control) || (isPage(control) && isPage(call));
