import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createHttpClient, type HeaderPairs, type HttpClientOptions } from "@assay/wire";
import { watchFiles } from "./watched-files.ts";

/** The reason to test again. */
export type RetestReason = "asked" | "agent" | "files" | "stop";

export interface WatchedAgent {
  /** the address of the card, or any address that responds when the agent runs */
  readonly url: string;
  readonly connection: Omit<HttpClientOptions, "recording">;
  readonly headers: HeaderPairs;
  /** the source folder of the agent, if Assay starts the agent */
  readonly folder?: string;
  readonly signal: AbortSignal;
  /** the interval between requests to the agent */
  readonly pollMs?: number;
}

/** Waits until the agent comes back, its card changes, one of its files changes, or the user presses Enter. */
export async function nextRetest({ folder, signal, ...agent }: WatchedAgent): Promise<RetestReason> {
  if (signal.aborted) return "stop";
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const stopped = new Promise<RetestReason>((resolve) => {
    signal.addEventListener("abort", () => resolve("stop"), { once: true });
  });
  try {
    return await Promise.race([
      stopped,
      enterPressed(until),
      folder === undefined ? agentChanged(agent, until) : filesChanged(folder, until),
    ]);
  } finally {
    over.abort();
  }
}

function enterPressed(signal: AbortSignal): Promise<RetestReason> {
  return new Promise((resolve) => {
    const { stdin } = process;
    if (!stdin.isTTY) return;
    const asked = () => resolve("asked");
    stdin.once("data", asked);
    stdin.resume();
    signal.addEventListener("abort", () => {
      stdin.off("data", asked);
      stdin.pause();
    });
  });
}

function filesChanged(folder: string, signal: AbortSignal): Promise<RetestReason> {
  return new Promise((resolve) => watchFiles(folder, () => resolve("files"), signal));
}

async function agentChanged(
  { url, connection, headers, pollMs = 1_000 }: Omit<WatchedAgent, "folder" | "signal">,
  signal: AbortSignal,
): Promise<RetestReason> {
  const client = createHttpClient(connection);
  const look = async (): Promise<string | undefined> => {
    const { failure, http } = await client.request({ method: "GET", url, headers: [...headers] }, signal);
    if (failure && !http.response) return undefined;
    return `${http.response?.status} ${createHash("sha256")
      .update(http.response?.body ?? "")
      .digest("hex")}`;
  };
  try {
    let last = await look();
    await pause(pollMs, signal);
    // A card that differs on every request is not a change.
    const second = await look();
    const isSteady = second === last || last === undefined;
    if (last === undefined && second !== undefined) return "agent";
    last = second;
    while (!signal.aborted) {
      await pause(pollMs, signal);
      const now = await look();
      if (now !== undefined && (last === undefined || (isSteady && now !== last))) return "agent";
      last = now;
    }
    return "stop";
  } finally {
    await client.close();
  }
}

/** The signal ends the pause early. The caller's loop checks the signal itself. */
const pause = (pollMs: number, signal: AbortSignal): Promise<void> =>
  setTimeout(pollMs, undefined, { signal }).catch(() => {});
