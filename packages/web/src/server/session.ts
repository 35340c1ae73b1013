import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { WireRequest } from "@assay/wire/server";

/**
 * Who may use this server: those who know the token in the address that `assay ui` prints. The page exchanges it for a
 * cookie that no script can read; programs send it as `Authorization: Bearer`.
 */
export class Session {
  readonly token: string;
  readonly #digest: Buffer;
  #cookieName = "assay-ui";

  constructor(token: string = randomBytes(24).toString("base64url")) {
    this.token = token;
    this.#digest = digestOf(token);
  }

  /** Cookies are shared by all ports of a host, so the port is part of the name. */
  bindTo(port: number): void {
    this.#cookieName = `assay-ui-${port}`;
  }

  isToken(given: unknown): boolean {
    return typeof given === "string" && timingSafeEqual(digestOf(given), this.#digest);
  }

  /** Kept by the browser until it is closed. */
  get cookie(): string {
    return `${this.#cookieName}=${this.token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** How a request proves who it is: not at all, as a program, or as a page. */
  proofOf({ headers }: Pick<WireRequest, "headers">): "none" | "header" | "cookie" {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
    if (bearer !== undefined) return this.isToken(bearer) ? "header" : "none";
    const cookies = (headers.cookie ?? "").split(/; */).map((pair) => pair.split("=", 2));
    return cookies.some(([name, value]) => name === this.#cookieName && this.isToken(value)) ? "cookie" : "none";
  }
}

/** Of equal length, whatever was given. */
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
