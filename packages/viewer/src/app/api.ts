import { embedded, isStatic } from "./embedded.ts";

/** A request that the server refused, with the server's message. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** 0 if no response arrived */
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export async function get<T>(path: `/api/${string}`): Promise<T> {
  if (!isStatic) return ask<T>(path, { method: "GET" });
  const value = embedded(path);
  if (value === undefined)
    throw new ApiFailure(404, `This file does not contain ${decodeURIComponent(path.slice(5))}.`);
  return value as T;
}

/** Sends a POST request. Secrets are in its body, which no log and no history contains. */
export const post = <T>(path: `/api/${string}`, body: object = {}): Promise<T> =>
  ask<T>(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const remove = <T>(path: `/api/${string}`): Promise<T> => ask<T>(path, { method: "DELETE" });

async function ask<T>(path: string, options: RequestInit): Promise<T> {
  const answer = await fetch(path, { ...options, credentials: "same-origin" }).catch(() => {
    throw new ApiFailure(0, "Assay does not respond.", "Check that assay ui still runs in its terminal.");
  });
  const value: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return value as T;
  const { error = `The server returned ${answer.status}.`, hint } = (value ?? {}) as { error?: string; hint?: string };
  throw new ApiFailure(answer.status, error, hint);
}

/**
 * Follows a stream of server-sent events. It passes them on once per frame, so that many events cause only one redraw.
 * Returns a function that stops the stream.
 */
export function follow<T>(path: `/api/${string}`, take: (events: readonly T[]) => void, ended: () => void): () => void {
  const source = new EventSource(path);
  let waiting: T[] = [];
  let isAsked = false;
  const flush = (): void => {
    isAsked = false;
    const some = waiting;
    waiting = [];
    if (some.length) take(some);
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    waiting.push(JSON.parse(data) as T);
    if (isAsked) return;
    isAsked = true;
    // A hidden page has no animation frames.
    if (document.hidden) setTimeout(flush, 250);
    else requestAnimationFrame(flush);
  };
  // The server closes a finished stream. Without this, the browser would open it again and again.
  source.onerror = () => {
    source.close();
    flush();
    ended();
  };
  return () => source.close();
}
