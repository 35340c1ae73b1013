import { type ErrorName, errorTable } from "@assay/protocol";
import type { PeerError } from "@assay/wire";
import { errorNamesOf } from "../error-types.ts";
import type { ExpectError } from "../model.ts";
import type { SurfacedError } from "./client.ts";

/** The way in which a client's error identifies the protocol error. */
export type Surfacing =
  /** its class or code is one of the expected errors */
  | { readonly is: "told" }
  /** it is reported as an error of the agent, but not which */
  | { readonly is: "indistinct" }
  | { readonly is: "other"; readonly name: ErrorName }
  /** it is reported as a connection failure */
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

/** Compares a client's error with the expected one and with the wire. Message texts do not matter. */
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
  // A client that reports the wire status has reported everything, but not as an A2A error.
  const isStatus = wire && [wire.http, wire.grpc?.code].some((each) => each !== undefined && each === code);
  if (kind === "transport") return { is: isStatus ? "indistinct" : "unsurfaced" };
  const other = byCode[0] ?? byType;
  // A class that covers all errors does not show the code.
  if (!wanted.length) return { is: other === undefined ? "indistinct" : "told" };
  return other === undefined || other === "Internal" ? { is: "indistinct" } : { is: "other", name: other };
}
