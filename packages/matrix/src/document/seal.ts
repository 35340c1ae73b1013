import { createHash } from "node:crypto";
import type { Cell, UnsealedCell } from "./cell.ts";
import type { MatrixDocument, MatrixDriver } from "./document.ts";
import type { MatrixExchange } from "./evidence.ts";

/** Identifies the content of a cell, so that no other result can replace it. */
export interface Seal {
  readonly client: SealedPackage;
  readonly server: SealedPackage;
  /** version of this tool, and digest of the scenarios */
  readonly suite: { readonly version: string; readonly scenarios: string };
  /** of the server's card; absent if there was none */
  readonly card?: string;
  readonly at: string;
  /** over the exchanges in this document */
  readonly evidence: string;
  /** over the recorded exchanges, if the document holds less */
  readonly recorded?: string;
  /** over everything else in the cell */
  readonly cell: string;
}

export interface SealedPackage {
  readonly package: string;
  /** as reported by the running program */
  readonly version: string;
  readonly command: readonly string[];
}

/** Returns equal digests for equal content. */
export const digestOf = (value: unknown): string =>
  `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;

/** Seals a cell when its document is made. `evidence` are its exchanges in the document. */
export function sealed({ seal, ...cell }: UnsealedCell, evidence: readonly MatrixExchange[]): Cell {
  return { ...cell, seal: { ...seal, evidence: digestOf(evidence), cell: digestOf(cell) } };
}

/** Returns a cell's exchanges in a document, in order. */
export const evidenceOf = (
  { exchanges }: Pick<Cell, "exchanges">,
  held: Readonly<Record<string, MatrixExchange>>,
): readonly MatrixExchange[] => exchanges.flatMap((id) => (Object.hasOwn(held, id) ? [held[id]!] : []));

/** Returns why a cell does not match its seal; undefined if it does. */
export function brokenSeal(
  cell: Cell,
  { exchanges, drivers, tool }: Pick<MatrixDocument, "exchanges" | "drivers" | "tool">,
): string | undefined {
  const { seal, ...rest } = cell;
  if (digestOf(rest) !== seal.cell) return "its content was changed after it was sealed";
  if (digestOf(evidenceOf(cell, exchanges)) !== seal.evidence)
    return "its exchanges differ from those it was sealed with";
  if (seal.suite.version !== tool.version)
    return `it was made by Assay ${seal.suite.version}, but the document by ${tool.version}`;
  for (const role of ["client", "server"] as const) {
    const driver = drivers.find(({ name }) => name === cell[role]);
    if (!driver) return `the document has no driver ${cell[role]}`;
    const trouble = isOther(seal[role], driver);
    if (trouble) return `its ${role} is ${trouble}`;
  }
  return undefined;
}

const isOther = (sealedAs: Seal["client"], { package: name, version }: MatrixDriver): string | undefined =>
  sealedAs.package === name && sealedAs.version === version
    ? undefined
    : `${sealedAs.package} ${sealedAs.version}, but the document has ${name} ${version}`;
