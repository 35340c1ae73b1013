import { existsSync } from "node:fs";
import {
  type FleetLedger,
  type FleetQueue,
  openLedger,
  openPoliteness,
  openQueue,
  type Politeness,
  readQueueAddress,
  shownQueue,
} from "@assay/fleet";
import { RunFolder } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import { blaming, UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import type { ExaminerFlags } from "./examiner-flags.ts";

/** The history and the queue of a sweep. */
export interface FleetStores {
  readonly ledger: FleetLedger;
  readonly politeness: Politeness;
  /** the queue that `--queue` names, and its address without a password */
  readonly shared?: { readonly queue: FleetQueue; readonly shown: string };
  close(): Promise<void>;
}

interface StoreFlags extends Pick<ExaminerFlags, "hostConcurrency" | "hostRate"> {
  readonly history: string | undefined;
  readonly queue?: string | undefined;
  /** seconds */
  readonly lease?: number;
}

/** Opens the history and the queue of a sweep. If one of them fails, it closes the others. */
export async function openStores(flags: StoreFlags, screen: Screen): Promise<FleetStores> {
  const opened: { close(): Promise<void> }[] = [];
  const kept = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.unshift(one);
    return one;
  };
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
  };
  try {
    const address = historyAddress(flags.history, screen);
    const limits = { atOnce: flags.hostConcurrency, perSecond: flags.hostRate };
    const ledger = kept(await openLedger(address).catch(blaming("--history")));
    const politeness = kept(await openPoliteness(address, limits).catch(blaming("--history")));
    if (flags.queue === undefined) return { ledger, politeness, close };
    const shared = await openSharedQueue(flags.queue, flags.lease, screen);
    kept(shared.queue);
    return { ledger, politeness, shared, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the ledger of the history that the user names, or of the default history if it exists. */
export async function ledgerToRead(given: string | undefined, screen: Screen): Promise<FleetLedger> {
  const own = new RunFolder().history;
  if (given === undefined && !existsSync(own))
    throw new UsageError(
      `${own} does not exist: no sweep ran here yet`,
      "If the fleet has another history, pass it: --history <address>",
    );
  return openLedger(historyAddress(given, screen)).catch(blaming("--history"));
}

/** Returns the address of the history that the user names, or of the default one. */
function historyAddress(given: string | undefined, screen: Screen): string {
  if (given !== undefined) return readAddress("--history", given, screen);
  const folder = new RunFolder();
  folder.prepare();
  return `sqlite:${folder.history}`;
}

/** Reads the address of a server like a secret, because it may contain a password. Warns only if it does. */
const readAddress = (flag: string, given: string, screen: Screen): string =>
  readSecret(flag, given, (place) => {
    if (URL.canParse(given) && new URL(given).password !== "")
      screen.complain(
        `warning: ${place}: other users of this machine can read a password on the command line. Use env:NAME or @file.`,
      );
  });

/** Repeated problems get one line per this many milliseconds. */
const troubleMs = 30_000;

/** Opens the queue of `--queue`, and logs connection problems, but not each retry. */
async function openSharedQueue(
  given: string,
  lease: number | undefined,
  screen: Screen,
): Promise<NonNullable<FleetStores["shared"]>> {
  const toldAt = new Map<string, number>();
  const trouble = (error: Error): void => {
    const now = Date.now();
    if (now - (toldAt.get(error.message) ?? 0) < troubleMs) return;
    toldAt.set(error.message, now);
    screen.complain(`queue: ${escapeText(error.message)}; retrying`);
  };
  const text = readAddress("--queue", given, screen);
  try {
    const address = readQueueAddress(text);
    const queue = await openQueue(address, { trouble, ...(lease !== undefined && { lease: lease * 1_000 }) });
    return { queue, shown: shownQueue(address) };
  } catch (error) {
    return blaming("--queue")(error);
  }
}
