import type { FleetQueue } from "@assay/fleet";
import { blaming } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { readAddress } from "./given-address.ts";

/** A queue by its address, and how it may be shown. */
export interface SharedQueue {
  readonly queue: FleetQueue;
  readonly shown: string;
}

/** The same trouble over and over is told once in so many milliseconds. */
const troubleMs = 30_000;

/** Opens the queue that `--queue` names; what goes wrong on the way there and is tried again is told, though not each time. */
export async function openSharedQueue(given: string, screen: Screen, lease?: number): Promise<SharedQueue> {
  const { openQueue, readQueueAddress, shownQueue } = await import("@assay/fleet");
  const text = readAddress("--queue", given, screen);
  const toldAt = new Map<string, number>();
  const trouble = (error: Error): void => {
    const now = Date.now();
    if (now - (toldAt.get(error.message) ?? 0) < troubleMs) return;
    toldAt.set(error.message, now);
    screen.complain(`the queue: ${escapeText(error.message)}; it is tried again`);
  };
  try {
    const address = readQueueAddress(text);
    const queue = await openQueue(address, { trouble, ...(lease !== undefined && { lease }) });
    return { queue, shown: shownQueue(address) };
  } catch (error) {
    return blaming("--queue")(error);
  }
}
