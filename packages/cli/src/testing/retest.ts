import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createHttpClient, type HeaderPairs, type HttpClientOptions } from "@assay/wire";
import { watchFiles } from "./watched-files.ts";

/** Why it is time to test again. */
export type RetestReason = "asked" | "agent" | "files" | "stop";

export interface WatchedAgent {
  /** the card, or whatever answers when the agent is up */
  readonly url: string;
  readonly connection: Omit<HttpClientOptions, "recording">;
  readonly headers: HeaderPairs;
  /** the folder whose files make the agent, when it is ours to start again */
  readonly folder?: string;
  readonly signal: AbortSignal;
  /** how often the agent is looked at */
  readonly pollMs?: number;
}

/** Waits until the agent came back or shows another card, one of its files was saved, or somebody pressed Enter. */
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
    // A card that is different each time it is asked for says nothing by being different.
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

/** Cut short by the signal, which the loop looks at itself. */
const pause = (pollMs: number, signal: AbortSignal): Promise<void> =>
  setTimeout(pollMs, undefined, { signal }).catch(() => {});
