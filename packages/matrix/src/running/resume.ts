import { isDeepStrictEqual } from "node:util";
import type { DriverDescription } from "../driver/description.ts";
import { testsFor } from "./pairing.ts";
import { type ChainRecord, type MatrixRecord, type PairingRecord, packageOf } from "./record.ts";
import { type MatrixOptions, planOf } from "./run-matrix.ts";

type Plan = Pick<MatrixOptions, "drivers" | "file" | "suite" | "only" | "onlyTests" | "chain">;

/** Returns the part of an earlier record that belongs to this matrix; undefined if the matrix must run it again. */
export function resumable(plan: Plan): (record: MatrixRecord) => MatrixRecord | undefined {
  const { pairings } = planOf(plan);
  const { file, suite, onlyTests = () => true, chain: isRelayed } = plan;
  const byId = new Map(pairings.map((pairing) => [pairing.id, pairing]));
  const isOfSuite = (sealed: Plan["suite"]): boolean => isDeepStrictEqual(sealed, suite);

  const pairingOf = (record: PairingRecord): PairingRecord | undefined => {
    const pairing = byId.get(record.id);
    if (!pairing) return undefined;
    const wanted = new Set(
      testsFor(file, pairing)
        .filter(onlyTests)
        .map(({ id }) => id),
    );
    const cells = record.cells.filter(({ scenario }) => wanted.has(scenario));
    const [client, server] = [packageOf(pairing.client, "client"), packageOf(pairing.server, "server")];
    const isCurrent = cells.every(
      ({ seal }) => isDeepStrictEqual([seal.client, seal.server], [client, server]) && isOfSuite(seal.suite),
    );
    if (!isCurrent || cells.length < wanted.size) return undefined;
    const causes = record.causes.filter(({ id }) => cells.some(({ cause }) => cause === id));
    return { ...record, cells, causes };
  };

  const chainOf = (record: ChainRecord): ChainRecord | undefined => {
    const { binding, version } = record.chain;
    const speaking = pairings.filter((each) => each.binding === binding && each.version === version);
    const servers = new Map<string, DriverDescription>(speaking.map(({ server }) => [server.name, server]));
    const sealed = Object.fromEntries([...servers].map(([name, driver]) => [name, packageOf(driver, "server")]));
    const isCurrent =
      isRelayed === true && isDeepStrictEqual(record.seal?.servers, sealed) && isOfSuite(record.seal.suite);
    return isCurrent ? record : undefined;
  };

  return (record) => (record.is === "chain" ? chainOf(record) : pairingOf(record));
}
