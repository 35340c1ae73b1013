import type { Operation } from "@assay/protocol";
import { versionHeader } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { observation } from "../observation.ts";
import type { Talk } from "../talk.ts";
import { ask, paramsFor } from "./unknown-task.ts";

/** A call in a version of the protocol that does not exist. */
interface AskedInVersion {
  readonly operation: Operation;
  readonly talk: Talk;
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
  make: (lab) =>
    Promise.all(
      (["GetTask", "ListTasks", "CancelTask"] as const).map(async (operation) => ({
        operation,
        talk: await ask(lab, operation, paramsFor(lab, operation), { edit: withVersion("99.0"), fair: false }),
      })),
    ),
});
