import { existsSync } from "node:fs";
import { type FleetLedger, openLedger } from "@assay/fleet";
import { readSecret } from "@assay/library/secrets";
import { blaming, UsageError } from "../exit.ts";
import { RunFolder } from "../recorded/run-folder.ts";

/** The ledger of a history that the user names, or of the one beside the recordings, if there is one to read. */
export async function ledgerToRead(given: string | undefined): Promise<FleetLedger> {
  const own = new RunFolder().history;
  if (given === undefined && !existsSync(own))
    throw new UsageError(
      `There is no ${own}: no fleet was swept here yet`,
      "Is it kept elsewhere? Name it: --history <address>",
    );
  // Read like a secret, because it may hold one.
  const address = given === undefined ? `sqlite:${own}` : readSecret("--history", given, () => {});
  return openLedger(address).catch(blaming("--history"));
}
