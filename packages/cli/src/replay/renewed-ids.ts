import { randomUUID } from "node:crypto";
import { isObject, type JsonValue } from "@assay/protocol";

/** The members in which requests and responses contain ids of tasks, contexts, messages, configurations and pages. */
const idMembers = new Set([
  "id",
  "taskId",
  "contextId",
  "messageId",
  "artifactId",
  "configId",
  "pushNotificationConfigId",
  "sessionId",
  "referenceTaskIds",
  "nextPageToken",
  "pageToken",
  "parent",
  "name",
]);

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Finds every id in a document, with the name of its member. */
export function idsIn(json: JsonValue): { readonly member: string; readonly id: string }[] {
  const found: { member: string; id: string }[] = [];
  const walk = (value: JsonValue, member: string): void => {
    if (typeof value === "string") {
      if (value !== "" && idMembers.has(member)) found.push({ member, id: value });
    } else if (Array.isArray(value)) for (const item of value) walk(item, member);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value) as [string, JsonValue][]) walk(inner, name);
  };
  walk(json, "");
  return found;
}

/**
 * Maps the ids of a recorded conversation to those of its replay. Ids from the agent become its current ids. Ids from
 * the client are created again, so that the replay meets no old data.
 */
export class RenewedIds {
  readonly #now = new Map<string, string>();

  /** Returns true if all of these ids have a current value. */
  knowsAll(then: Iterable<string>): boolean {
    return [...then].every((id) => this.#now.has(id));
  }

  /**
   * Learns the current ids from two responses to the same request. It learns only ids that first appeared in that
   * response, because lists may have another order.
   */
  learn(then: JsonValue | undefined, now: JsonValue | undefined, gives: ReadonlySet<string>): void {
    if (typeof then === "string" && typeof now === "string") {
      if (now && gives.has(then) && !this.#now.has(then)) this.#now.set(then, now);
    } else if (Array.isArray(then) && Array.isArray(now))
      for (const [index, item] of then.entries()) this.learn(item, now[index], gives);
    else if (isObject(then) && isObject(now))
      for (const [name, inner] of Object.entries(then) as [string, JsonValue][])
        this.learn(inner, now[name] as JsonValue | undefined, gives);
  }

  /** Creates new values for ids that the client had chosen itself. */
  renew(request: JsonValue): void {
    for (const { member, id } of idsIn(request)) {
      if (this.#now.has(id)) continue;
      const parts = id.match(uuid) ?? [];
      for (const part of parts) if (!this.#now.has(part)) this.#now.set(part, randomUUID());
      if (member === "messageId" && !parts.length) this.#now.set(id, randomUUID());
    }
  }

  /** Creates new values for ids of the client in a URL. */
  renewIn(text: string): void {
    for (const part of text.match(uuid) ?? []) if (!this.#now.has(part)) this.#now.set(part, randomUUID());
  }

  /** Replaces the ids in a text. A short id is replaced only between quotes or in a URL. */
  text(text: string, isAddress = false): string {
    const known = [...this.#now].filter(([then, now]) => then !== now && text.includes(then));
    if (!known.length) return text;
    const byThen = new Map(known);
    const alone = isAddress ? (id: string) => `(?<=[/=])${id}(?=[/?&:]|$)` : (id: string) => `(?<=")${id}(?=")`;
    const patterns = known
      .map(([then]) => then)
      // Replace the longest ids first, because an id may be a part of another.
      .sort((a, b) => b.length - a.length)
      .map((then) => (then.length < shortId ? alone(escaped(then)) : escaped(then)));
    return text.replaceAll(new RegExp(patterns.join("|"), "g"), (then) => byThen.get(then)!);
  }
}

/** Ids shorter than this may occur in a text by chance. */
const shortId = 16;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
