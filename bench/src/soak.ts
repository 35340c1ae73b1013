import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { type AbuseReport, sufferAbuses } from "./soak/abuse/under-abuse.ts";
import { abuseText, storeText } from "./soak/report.ts";
import { readSettings, type StoreName } from "./soak/settings.ts";
import { type StoreReport, soakStore } from "./soak/soak-store.ts";

/**
 * Runs a server under load on each store, and then under abuse. Counts the errors that must never happen, and measures
 * everything else. Exits with 1 if there was such an error; see `docs/soak.md`.
 */
const settings = readSettings(process.argv.slice(2), process.env);
const folder = mkdtempSync(join(tmpdir(), "assay-soak-"));
const postgres = process.env["BENCH_POSTGRES"];
const addresses: Record<StoreName, string | undefined> = {
  memory: "memory",
  sqlite: `sqlite:${join(folder, "tasks.db")}`,
  postgres,
};

const machine = {
  began: new Date().toISOString(),
  node: process.version,
  processors: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
  gibibytes: Math.round(totalmem() / 2 ** 30),
  /** load average at the start; above the number of processors, other programs compete for the machine */
  loadAverage: loadavg()[0],
};
const stores: StoreReport[] = [];
const abuses: AbuseReport[] = [];
const progress = (text: string): boolean => process.stderr.write(`  ${text}\n`);

/** Prints a result at once and keeps it, so that a later failure does not lose it. */
function tell(text: string): void {
  process.stdout.write(`${text}\n`);
  mkdirSync(dirname(settings.report), { recursive: true });
  writeFileSync(settings.report, `${JSON.stringify({ machine, settings, stores, abuses }, null, 2)}\n`);
}

for (const store of settings.stores) {
  const address = addresses[store];
  if (address === undefined) continue;
  progress(`${store}: ${settings.load.minutes} min`);
  const report = await soakStore(store, address, settings.load);
  stores.push(report);
  tell(storeText(report));
}
if (settings.abuseSeconds) {
  abuses.push(...(await sufferAbuses("memory", settings.abuseSeconds, progress)));
  tell(abuseText(abuses));
}
rmSync(folder, { recursive: true, force: true });
const failed = [...stores, ...abuses].filter(({ breaches }) => breaches.length > 0);
for (const part of failed) {
  const name = "store" in part ? part.store : part.abuse;
  process.stdout.write(`Failed: soak, ${name}: ${part.breaches[0]!.what.split("\n")[0]!.slice(0, 300)}\n`);
}
process.stdout.write(`${stores.length + abuses.length - failed.length} passed, ${failed.length} failed\n`);
process.exit(failed.length > 0 ? 1 : 0);
