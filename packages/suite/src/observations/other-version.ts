import type { Operation } from "@assay/protocol";
import { versionHeader } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { matches } from "../answers/expect-error.ts";
import { errorOf } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { ask, paramsFor } from "./unknown-task.ts";

/** A call in a version of the protocol that does not exist. */
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

/** Version 99.0, which no agent may serve however loosely it compares (AMB-11), by a read and by a write. */
export const otherVersion = observation<readonly AskedInVersion[]>({
  name: "calls in version 99.0",
  messages: 0,
  make: (target) =>
    Promise.all(
      // Before 1.0 requests named no version.
      (target.on.dialect === "1.0" ? (["GetTask", "ListTasks", "CancelTask"] as const) : []).map(async (operation) => ({
        operation,
        call: await ask(target, operation, paramsFor(target, operation), { edit: withVersion("99.0"), fair: false }),
      })),
    ),
});

/** Served, at least as far as to look for a task that is not there. */
export function isTaken(call: Call): boolean {
  const error = errorOf(call);
  if (!error) return call.reply.is === "result";
  return error.grpc ? error.grpc.status === "NOT_FOUND" : error.code === -32001 || error.http === 404;
}

const isRefused = ({ call }: AskedInVersion): boolean => matches(call, "VersionNotSupported") !== undefined;

/**
 * Whether the version plays no part at all on this interface: one fault, which VER-005 counts. Only ListTasks can tell:
 * that the others found no task may come before the version as well as after it (AMB-34).
 */
export const looksAtNoVersion = (asked: readonly AskedInVersion[]): boolean =>
  !asked.some(isRefused) && asked.some(({ operation, call }) => operation === "ListTasks" && isTaken(call));
