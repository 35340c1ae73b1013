import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sufferAbuses } from "./soak/abuse/under-abuse.ts";
import { soakText } from "./soak/report.ts";
import { readSettings, type StoreName } from "./soak/settings.ts";
import { type StoreReport, soakStore } from "./soak/soak-store.ts";

/**
 * A server under load for a while, on each store, and then under abuse: what must never happen is counted, and the rest is measured.
 * Ends with 1 where something happened that must not. `docs/soak.md` says what is looked at.
 */
const settings = readSettings(process.argv.slice(2), process.env);
const folder = mkdtempSync(join(tmpdir(), "assay-soak-"));
const postgres = process.env["SOAK_POSTGRES"];
const addresses: Record<StoreName, string | undefined> = {
  memory: "memory",
  sqlite: `sqlite:${join(folder, "tasks.db")}`,
  postgres,
};

const stores: StoreReport[] = [];
for (const store of settings.stores) {
  const address = addresses[store];
  if (address === undefined) continue;
  process.stderr.write(`  ${store}: ${settings.load.minutes} min\n`);
  stores.push(await soakStore(store, address, settings.load));
}
const abuses = settings.abuseSeconds
  ? await sufferAbuses("memory", settings.abuseSeconds, (abuse) => process.stderr.write(`  ${abuse}\n`))
  : [];
rmSync(folder, { recursive: true, force: true });
mkdirSync(dirname(settings.report), { recursive: true });
writeFileSync(settings.report, `${JSON.stringify({ settings, stores, abuses }, null, 2)}\n`);
process.stdout.write(soakText(stores, abuses));
process.exit([...stores, ...abuses].some(({ breaches }) => breaches.length) ? 1 : 0);
