import type { JsonValue } from "@assay/protocol";
import type { ExchangeRecorded, RunEvent } from "../report/events.ts";
import type { ConformanceResult } from "../report/result.ts";
import { everyRule } from "../rules/catalogue.ts";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import { redactedEntry } from "./redacted-entry.ts";
import { redactedJson, redactedText } from "./redacted-json.ts";

const leftOut = "--redact removed the content";
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
/** A longer text reveals no further words. */
const mostRead = 200_000;

/**
 * Removes the content of conversations from the events of a run: texts, data, files, artifacts and error messages. A
 * sentence of Assay stays if it quotes nothing and shares with the conversation only words of the rules.
 */
export class Redactor {
  readonly #said = new Set<string>();

  event(event: RunEvent): RunEvent {
    switch (event.event) {
      case "run-started":
        return { ...event, redacted: true };
      case "exchange":
        return isConversation(event)
          ? { ...event, entry: redactedEntry(event.entry, (text) => this.#take(text)) }
          : event;
      case "learned":
        return { ...event, prompts: event.prompts.map((prompt) => this.#prompt(prompt)) };
      case "check-finished":
        return { ...event, result: this.#result(event.result) };
      case "note":
        return { ...event, text: this.#sentence(event.text) ?? `A note that quotes the conversation: ${leftOut}.` };
      case "run-finished": {
        const { message, hint, ...rest } = event;
        return {
          ...rest,
          ...(message !== undefined && { message: this.#sentence(message) ?? leftOut }),
          ...(hint !== undefined && { hint: this.#sentence(hint) ?? leftOut }),
        };
      }
      case "situation-finished":
        return {
          ...event,
          runs: event.runs.map((each) => ({
            ...each,
            output: redactedText(each.output),
            errors: redactedText(each.errors),
          })),
        };
      case "versions-compared":
        return {
          ...event,
          comparisons: event.comparisons.map(({ message, ...compared }) => ({
            ...compared,
            ...(message !== undefined && { message: this.#sentence(message) ?? leftOut }),
          })),
        };
      case "agent-found":
      case "planned":
      case "estimated":
      case "observing":
      case "observed":
      case "lifecycle-seen":
      case "skill-tried":
      case "peer-tried":
      case "sdk-recognised":
      case "check-started":
      case "situation-started":
        return event;
    }
  }

  #take(text: string): void {
    for (const word of wordsIn(text.slice(0, mostRead))) if (!vocabulary().has(word)) this.#said.add(word);
  }

  #prompt(prompt: LearnedPrompt): LearnedPrompt {
    // Redaction keeps the structure of parts.
    const parts = redactedJson(prompt.parts as unknown as JsonValue, { take: (text) => this.#take(text) });
    return { ...prompt, parts: parts as unknown as LearnedPrompt["parts"] };
  }

  #result({ sent: _, saw: __, ...result }: ConformanceResult): ConformanceResult {
    const { message, warning, info, want, remedy, enable, repeat, place, ...rest } = result;
    const kept = (name: string, text: string | undefined): object => {
      const safe = text === undefined ? undefined : this.#sentence(text);
      return safe === undefined ? {} : { [name]: safe };
    };
    const code = rest.code === undefined ? "" : ` (${rest.code})`;
    const told = (name: string, text: string | undefined): object =>
      text === undefined ? {} : { [name]: this.#sentence(text) ?? `breaks the rule${code}; ${leftOut}` };
    return {
      ...rest,
      ...told("message", message),
      ...told("warning", warning),
      ...kept("info", info),
      ...kept("want", want),
      ...(remedy !== undefined && !this.#repeats(remedy) && { remedy }),
      ...(enable !== undefined && !this.#repeats(enable) && { enable }),
      ...(repeat !== undefined && !/parts|content/i.test(repeat) && !this.#repeats(repeat) && { repeat }),
      ...(place !== undefined && !this.#repeats(JSON.stringify(place)) && { place }),
    };
  }

  /** Returns the text if it quotes and repeats nothing. */
  #sentence(text: string): string | undefined {
    return /["“”'‘’`{[]/.test(text) || this.#repeats(text) ? undefined : text;
  }

  #repeats(text: string): boolean {
    return wordsIn(text).some((word) => this.#said.has(word));
  }
}

/** Cards and keys are not part of the conversation. */
const isConversation = ({ operation, entry }: ExchangeRecorded): boolean =>
  operation !== undefined || entry.request.method !== "GET";

let known: ReadonlySet<string> | undefined;
/** Words of the rules reveal nothing about a conversation. */
function vocabulary(): ReadonlySet<string> {
  known ??= new Set([
    ...everyRule.flatMap(({ text, check, title = "", remedy = "" }) =>
      [text, check, title, remedy].flatMap((each) => [...wordsIn(each)]),
    ),
  ]);
  return known;
}
