import { jsonObjectIn } from "@assay/protocol";
import type { HarEntry } from "@assay/wire";
import { sdkMarks } from "../generated/sdk-marks.ts";
import { type AgentSdk, sdkTitle } from "../report/sdk-faults.ts";

/** A text that only one SDK writes: a pattern for error messages, or for a whole body. */
export interface SdkMark {
  readonly error?: string;
  readonly body?: string;
}

/** A wrong recognition is worse than none: one sentence may be copied, two are not. */
const needed = 2;

/** Longer bodies are lists of tasks, not errors or cards. */
const mostCharacters = 64 * 1024;

const marks = Object.entries(sdkMarks).flatMap(([sdk, own]) =>
  own.map(({ error, body }) => ({
    sdk,
    error: error === undefined ? undefined : new RegExp(error),
    body: body === undefined ? undefined : new RegExp(body, "m"),
  })),
);

/** Recognises the SDK of an agent by its responses. */
export class SdkRecogniser {
  /** the marks seen so far, by SDK */
  readonly #seen = new Map<string, Set<number>>();

  take({ response }: Pick<HarEntry, "response">): void {
    const { text = "", encoding } = response.content;
    const body = encoding === undefined && text.length <= mostCharacters ? text : "";
    const errors = [...errorsIn(body), ...grpcErrors(response.headers)];
    for (const [index, mark] of marks.entries()) {
      if (errors.some((message) => mark.error?.test(message)) || mark.body?.test(body))
        this.#seen.set(mark.sdk, (this.#seen.get(mark.sdk) ?? new Set<number>()).add(index));
    }
  }

  /** Returns the SDK if there are enough marks of one and none of another. */
  get sdk(): AgentSdk | undefined {
    const [only, ...others] = [...this.#seen];
    if (!only || others.length) return undefined;
    const [name, { size }] = only;
    if (size < needed) return undefined;
    // Contains no text of the agent, because redacted reports include this sentence.
    return { name, because: `looks like ${sdkTitle({ name })}: ${size} errors or responses that only this SDK writes` };
  }
}

/** Returns the error messages in a body: of JSON-RPC, of HTTP+JSON, and in stream events. */
function errorsIn(body: string): string[] {
  if (!body.includes("message")) return [];
  const texts = /^(data|event|id|:)/.test(body)
    ? [...body.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data!)
    : [body];
  return texts.flatMap((text) => {
    const json = jsonObjectIn(text);
    const error = objectIn(json?.["error"]) ?? (json && !("result" in json) ? json : undefined);
    const message = error?.["message"];
    return typeof message === "string" ? [message] : [];
  });
}

function grpcErrors(headers: HarEntry["response"]["headers"]): string[] {
  const value = headers.find(({ name }) => name === "grpc-message")?.value;
  if (value === undefined) return [];
  try {
    // Older Python servers prefix the name of the exception.
    return [decodeURIComponent(value).replace(/^[A-Z]\w+Error: /, "")];
  } catch {
    return [value];
  }
}

const objectIn = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
