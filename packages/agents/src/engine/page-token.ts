import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { A2AError } from "@assay/protocol/core";

/**
 * Seals the store's cursors as page tokens. A token works only for the caller and query it was issued to, so
 * a forged or borrowed token is rejected.
 */
export class PageTokens {
  readonly #secret: Buffer;

  constructor(secret: Buffer = randomBytes(32)) {
    this.#secret = secret;
  }

  seal(cursor: string, query: string): string {
    return `${Buffer.from(cursor).toString("base64url")}.${this.#mac(cursor, query).toString("base64url")}`;
  }

  open(token: string, query: string): string {
    const cursor = Buffer.from(token.split(".", 1)[0]!, "base64url").toString();
    // Compares the whole token, because different Base64 texts can decode to the same bytes.
    const given = Buffer.from(token);
    const expected = Buffer.from(this.seal(cursor, query));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new A2AError("InvalidParams", "This agent did not issue the pageToken for this query", {
        violations: [
          { path: "$.pageToken", message: "use nextPageToken from a response to the same query, unchanged" },
        ],
      });
    }
    return cursor;
  }

  #mac(cursor: string, query: string): Buffer {
    return createHmac("sha256", this.#secret).update(`${query}\n${cursor}`).digest().subarray(0, 16);
  }
}
