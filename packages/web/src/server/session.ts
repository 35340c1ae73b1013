import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { WireRequest } from "@assay/wire/server";

/**
 * Authenticates requests by the token in the address that `assay ui` prints. The page exchanges it for a cookie that no
 * script can read. Programs send it as `Authorization: Bearer`. The cookie has a different value, because browsers send
 * it to every port of this host.
 */
export class Session {
  readonly token: string;
  readonly #digest: Buffer;
  readonly #cookieValue = newSecret();
  #cookieName = "assay-ui";

  constructor(token: string = newSecret()) {
    this.token = token;
    this.#digest = digestOf(token);
  }

  /** Puts the port into the cookie's name, because two servers on one host would overwrite each other's cookie. */
  bindTo(port: number): void {
    this.#cookieName = `assay-ui-${port}`;
  }

  isToken(given: unknown): boolean {
    return isSame(given, this.#digest);
  }

  /** The browser keeps the cookie until it is closed, and sends it only with requests of the API. */
  get cookie(): string {
    return `${this.#cookieName}=${this.#cookieValue}; HttpOnly; SameSite=Strict; Path=/api`;
  }

  /** Returns how a request authenticates: not at all, as a program, or as a page. */
  proofOf({ headers }: Pick<WireRequest, "headers">): "none" | "header" | "cookie" {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
    if (bearer !== undefined) return this.isToken(bearer) ? "header" : "none";
    const cookies = (headers.cookie ?? "").split(/; */).map((pair) => pair.split("=", 2));
    const known = digestOf(this.#cookieValue);
    return cookies.some(([name, value]) => name === this.#cookieName && isSame(value, known)) ? "cookie" : "none";
  }
}

const newSecret = (): string => randomBytes(24).toString("base64url");

const isSame = (given: unknown, digest: Buffer): boolean =>
  typeof given === "string" && timingSafeEqual(digestOf(given), digest);

/** Returns a digest, so that compared values always have the same length. */
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
