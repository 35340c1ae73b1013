import type { SharedCause } from "../causes/shared-causes.ts";
import type { Cell } from "../document/cell.ts";
import { type MatrixWire, wireKey } from "../view/wires.ts";

/** Where things are on the site: every cell has an address that stays. */

/** Names of drivers are names of folders; what else there is in them has no place in the name of a file. */
const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");

export const pairFile = ({ client, server }: Pick<Cell, "client" | "server">): string =>
  `pairs/${fileName(client)}--${fileName(server)}.html`;

export const causeFile = ({ slug }: SharedCause): string => `causes/${slug}.html`;

/** Of a cell, on the page of its pair. */
export const cellAnchor = (cell: MatrixWire & Pick<Cell, "scenario">): string =>
  `${wireKey(cell)}-${fileName(cell.scenario)}`;

export const cellAddress = (cell: Cell): string => `${pairFile(cell)}#${cellAnchor(cell)}`;
