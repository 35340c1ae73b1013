import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Plain, plain } from "./testbed.case.ts";

/** Where the client of people is called back; nobody needs to be there. */
export const callback = "http://127.0.0.1:9/callback";

/** The proof that a code is redeemed by the client that asked for it. */
export const verifier = "v".repeat(50);

/** What the client of people asks for when one of them is to log in. */
export const codeQuestion = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  client_id: "console",
  response_type: "code",
  redirect_uri: callback,
  scope: "openid tasks:read tasks:write",
  state: "s1",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
  ...more,
});

export const form = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Plain => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(fields).toString(),
});

interface Shown {
  readonly url: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A browser, as far as it is needed: it follows redirects, and has cookies. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Goes on until the client is called back, or a page is shown. */
  async go(url: string, request: Plain = {}): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await plain(url, { ...request, headers: { ...request.headers, ...(cookie && { Cookie: cookie }) } });
    const { headers, status, text } = answer;
    for (const line of headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    const { location } = headers;
    if (location === undefined) return { url, status, headers, text };
    const next = new URL(location, url).href;
    return next.startsWith(callback) ? { url: next, status, headers, text: "" } : this.go(next);
  }
}
