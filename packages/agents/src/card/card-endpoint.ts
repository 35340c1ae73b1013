import { createHash } from "node:crypto";
import { type JsonObject, testbedHeader } from "@assay/protocol/core";
import { cardCors, type WireReply, type WireRequest } from "@assay/wire/server";

/** A card ready to be served: its bytes and its cache validators. */
interface CardDocument {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Maximum number of cached cards. Cards differ by agent and by the requested address; the oldest is rebuilt
 * on demand.
 */
const mostDocuments = 500;

/** Caches the most recently requested cards of all agents. */
export class CardCache {
  readonly #documents = new Map<string, Promise<CardDocument>>();

  get(key: string, print: () => Promise<CardDocument>): Promise<CardDocument> {
    const known = this.#documents.get(key);
    if (known) return known;
    const made = print();
    this.#documents.set(key, made);
    if (this.#documents.size > mostDocuments) this.#documents.delete(this.#documents.keys().next().value!);
    return made;
  }
}

/** Serves the card of one agent, with validators for caches (§8.6). */
export class CardEndpoint {
  readonly #path: string;
  readonly #make: (baseUrl: string) => Promise<JsonObject>;
  readonly #lastModified: string;
  readonly #cache: CardCache;

  /** `path` is that of the agent. */
  constructor(path: string, make: (baseUrl: string) => Promise<JsonObject>, startedAt: number, cache: CardCache) {
    this.#path = path;
    this.#cache = cache;
    this.#make = make;
    this.#lastModified = new Date(startedAt).toUTCString();
  }

  async serve(request: WireRequest, reply: WireReply, baseUrl: string): Promise<void> {
    const { body, headers } = await this.#cache.get(`${this.#path}\n${baseUrl}`, () => this.#print(baseUrl));
    if (isFresh(request, headers["ETag"]!, this.#lastModified)) reply.send(304, headers, "");
    else reply.send(200, { ...headers, "Content-Type": "application/json" }, body);
  }

  async #print(baseUrl: string): Promise<CardDocument> {
    const body = `${JSON.stringify(await this.#make(baseUrl), null, 2)}\n`;
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const headers = {
      ...cardCors,
      [testbedHeader]: "1",
      "Cache-Control": "public, max-age=60",
      ETag: etag,
      "Last-Modified": this.#lastModified,
    };
    return { body, headers };
  }
}

/** RFC 9110 §13: If-None-Match takes precedence over If-Modified-Since. */
function isFresh({ headers }: WireRequest, etag: string, lastModified: string): boolean {
  const match = headers["if-none-match"];
  if (match !== undefined) {
    return match.split(",").some((entry) => entry.trim() === "*" || entry.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && Date.parse(lastModified) <= since;
}
