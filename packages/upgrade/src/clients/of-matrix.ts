import type { MatrixDocument } from "@assay/matrix";
import type { DialectVersion } from "@assay/protocol";
import type { ClientSupport } from "./client-support.ts";

/** Returns the clients of a matrix with their results against all servers. Assay itself is left out. */
export const clientsOfMatrix = ({ drivers, cells, startedAt }: MatrixDocument): ClientSupport[] =>
  drivers.flatMap(({ name, title, version, roles }) => {
    const versions = Object.keys(roles.client ?? {}) as DialectVersion[];
    if (versions.length === 0 || name === "assay") return [];
    const measured = versions.flatMap((spoken): [DialectVersion, string][] => {
      const run = cells.filter(
        (cell) =>
          cell.client === name && cell.version === spoken && ["passed", "failed", "blocked"].includes(cell.outcome),
      );
      const passed = run.filter(({ outcome }) => outcome === "passed").length;
      return run.length === 0 ? [] : [[spoken, `${passed} of ${run.length} scenarios passed`]];
    });
    return [
      {
        title,
        version,
        versions: versions.toSorted((a, b) => Number(b) - Number(a)),
        source: `SDK matrix of ${startedAt.slice(0, 10)}`,
        measured: Object.fromEntries(measured),
      },
    ];
  });
