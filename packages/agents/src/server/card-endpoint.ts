import { createHash } from "node:crypto";
import { type JsonObject, testbedHeader } from "@assay/protocol";
import { cardCors, type WireReply, type WireRequest } from "@assay/wire/server";

/** A card ready to be served: its bytes and what caches need to know of them. */
interface CardDocument {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Cards differ by the address they are asked at; beyond this many addresses the oldest is made again. */
const maxAddresses = 32;

/** Serves the card of one agent, with validators for caches (§8.6). */
export class CardEndpoint {
  readonly #make: (baseUrl: string) => Promise<JsonObject>;
  readonly #lastModified: string;
  readonly #documents = new Map<string, Promise<CardDocument>>();

  constructor(make: (baseUrl: string) => Promise<JsonObject>, startedAt: number) {
    this.#make = make;
    this.#lastModified = new Date(startedAt).toUTCString();
  }

  async serve(request: WireRequest, reply: WireReply, baseUrl: string): Promise<void> {
    const { body, headers } = await this.#documentFor(baseUrl);
    if (isFresh(request, headers["ETag"]!, this.#lastModified)) reply.send(304, headers, "");
    else reply.send(200, { ...headers, "Content-Type": "application/json" }, body);
  }

  #documentFor(baseUrl: string): Promise<CardDocument> {
    let document = this.#documents.get(baseUrl);
    if (!document) {
      document = this.#print(baseUrl);
      this.#documents.set(baseUrl, document);
      if (this.#documents.size > maxAddresses) this.#documents.delete(this.#documents.keys().next().value!);
    }
    return document;
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

/** RFC 9110 §13: If-None-Match decides where it is given, If-Modified-Since only without it. */
function isFresh({ headers }: WireRequest, etag: string, lastModified: string): boolean {
  const match = headers["if-none-match"];
  if (match !== undefined) {
    return match.split(",").some((entry) => entry.trim() === "*" || entry.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && Date.parse(lastModified) <= since;
}
