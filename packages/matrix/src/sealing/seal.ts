import { createHash } from "node:crypto";
import type { Cell } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import type { Seal } from "../document/seal.ts";

/** The same for the same content. */
export const digestOf = (value: unknown): string =>
  `sha256:${createHash("sha256").update(JSON.stringify(value)).digest("hex")}`;

/** A cell with its seal. `evidence` are the exchanges that the document will hold of it. */
export function sealed(
  cell: Omit<Cell, "seal">,
  seal: Omit<Seal, "cell" | "evidence">,
  evidence: readonly MatrixExchange[],
): Cell {
  return { ...cell, seal: { ...seal, evidence: digestOf(evidence), cell: digestOf(cell) } };
}

/** The exchanges of a cell that a document holds, in their order. */
export const evidenceOf = (
  { exchanges }: Pick<Cell, "exchanges">,
  held: Readonly<Record<string, MatrixExchange>>,
): readonly MatrixExchange[] => exchanges.flatMap((id) => (Object.hasOwn(held, id) ? [held[id]!] : []));

/** Why a cell is not what its seal says; undefined where it is. */
export function brokenSeal(
  cell: Cell,
  { exchanges, drivers, tool }: Pick<MatrixDocument, "exchanges" | "drivers" | "tool">,
): string | undefined {
  const { seal, ...rest } = cell;
  if (digestOf(rest) !== seal.cell) return "its content was changed after it was sealed";
  if (digestOf(evidenceOf(cell, exchanges)) !== seal.evidence) return "its exchanges are not those it was sealed with";
  if (seal.suite.version !== tool.version)
    return `it was made by assay ${seal.suite.version}, and the document by ${tool.version}`;
  for (const role of ["client", "server"] as const) {
    const driver = drivers.find(({ name }) => name === cell[role]);
    if (!driver) return `the document names no driver ${cell[role]}`;
    const trouble = isOther(seal[role], driver);
    if (trouble) return `its ${role} is ${trouble}`;
  }
  return undefined;
}

const isOther = (sealed: Seal["client"], { package: name, version }: MatrixDriver): string | undefined =>
  sealed.package === name && sealed.version === version
    ? undefined
    : `${sealed.package} ${sealed.version}, and the document names ${name} ${version}`;
