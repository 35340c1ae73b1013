import {
  type BindingName,
  bindingNames,
  type MatrixDocument,
  type MatrixVersion,
  matrixVersions,
} from "../document/document.ts";

/** A binding in a version: the subject of one table. */
export interface MatrixWire {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
}

const bindingTitles: Record<BindingName, string> = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" };

/** "JSON-RPC 1.0" */
export const wireTitle = ({ binding, version }: MatrixWire): string => `${bindingTitles[binding]} ${version}`;

/** "jsonrpc-1.0", for addresses. */
export const wireKey = ({ binding, version }: MatrixWire): string =>
  `${{ JSONRPC: "jsonrpc", "HTTP+JSON": "rest", GRPC: "grpc" }[binding]}-${version}`;

/** Returns the wires of a matrix, newest version first. */
export function wiresOf({ cells }: Pick<MatrixDocument, "cells">): MatrixWire[] {
  const keys = new Set(cells.map(wireKey));
  return matrixVersions
    .flatMap((version) => bindingNames.map((binding) => ({ binding, version })))
    .filter((wire) => keys.has(wireKey(wire)));
}
