import { type ErrorName, errorTable } from "@assay/protocol";
import type { PeerError } from "@assay/wire";
import { errorNamesOf } from "../error-types.ts";
import type { ExpectError } from "../model.ts";
import type { SurfacedError } from "./client.ts";

/** What a surfaced error says about which error of the protocol it is. */
export type Surfacing =
  /** by its class or its code, it is one of those that are expected */
  | { readonly is: "told" }
  /** it is told as an error of the agent, and not as which */
  | { readonly is: "indistinct" }
  | { readonly is: "other"; readonly name: ErrorName }
  /** it is told as a trouble of the connection */
  | { readonly is: "unsurfaced" };

const names = Object.keys(errorTable) as ErrorName[];

/** "TaskNotFoundError", "a2a.ErrTaskNotFound", "TASK_NOT_FOUND" and "TaskNotFoundException" name the same error. */
function namedBy(type: string): ErrorName | undefined {
  const plain = (text: string): string => text.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const last = type.split(/[.:/$]+/).at(-1)!;
  const word = plain(last).replace(/^err(or)?(?=[a-z]{4})/, "");
  // "RestTaskNotFoundError" has the binding before the name.
  return names.find((name) => word.replace(/(error|exception|err)$/, "").endsWith(plain(name)));
}

/** Compares what a client surfaced with what was expected, and with what the wire said. No text of a message decides. */
export function surfacingOf(
  { kind, type, code }: SurfacedError,
  { types = [] }: ExpectError,
  wire: PeerError | undefined,
): Surfacing {
  const wanted = types.flatMap((each) => errorNamesOf(each) ?? []);
  const byType = type === undefined ? undefined : namedBy(type);
  const byCode = names.filter((name) => errorTable[name].code === code);
  if (byType !== undefined && wanted.includes(byType)) return { is: "told" };
  if (byCode.some((name) => wanted.includes(name))) return { is: "told" };
  // Who hands over the status that crossed the wire has told what there was to tell, and not as an error of A2A.
  const isStatus = wire && [wire.http, wire.grpc?.code].some((each) => each !== undefined && each === code);
  if (kind === "transport") return { is: isStatus ? "indistinct" : "unsurfaced" };
  const other = byCode[0] ?? byType;
  // A class that stands for every error says nothing against the code, nor for it.
  if (!wanted.length) return { is: other === undefined ? "indistinct" : "told" };
  return other === undefined || other === "Internal" ? { is: "indistinct" } : { is: "other", name: other };
}
