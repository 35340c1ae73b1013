import type { JsonObject } from "@assay/protocol";
import { createMasker, type HeaderPairs, type Masker, type Secret, secretsInHeader } from "@assay/wire";

/** Maximum number of known secrets. The oldest are dropped; by then their exchanges are written. */
const most = 500;

/**
 * A masker that learns secrets from traffic, because clients' credentials are not known in advance. It reads the
 * headers of a request before anything of it is written.
 */
export class GrowingMasker implements Masker {
  readonly #secrets = new Map<string, Secret>();
  /** header names that the card declares as API keys */
  readonly #named = new Set<string>();
  #masker: Masker;

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) this.#secrets.set(secret.value, secret);
    this.#masker = createMasker(secrets);
  }

  /** Learns the headers in which clients of this agent send their API keys. */
  learnCard(card: JsonObject): void {
    const schemes = card["securitySchemes"];
    if (typeof schemes !== "object" || schemes === null) return;
    for (const scheme of Object.values(schemes)) for (const name of keyNamesIn(scheme)) this.#named.add(name);
  }

  learn(fields: HeaderPairs): void {
    const fresh = fields
      .flatMap(([name, value]) => secretsInHeader(name, value, this.#named.has(name.toLowerCase())))
      .filter(({ value }) => !this.#secrets.has(value));
    if (fresh.length === 0) return;
    for (const secret of fresh) this.#secrets.set(secret.value, secret);
    for (const value of [...this.#secrets.keys()].slice(0, Math.max(0, this.#secrets.size - most)))
      this.#secrets.delete(value);
    this.#masker = createMasker([...this.#secrets.values()]);
  }

  text(value: string): string {
    return this.#masker.text(value);
  }

  value<T>(value: T): T {
    return this.#masker.value(value);
  }

  exchange(exchange: Parameters<Masker["exchange"]>[0]): ReturnType<Masker["exchange"]> {
    return this.#masker.exchange(exchange);
  }
}

/** In 1.0 the name is under `apiKeySecurityScheme`, before that in the scheme itself. */
function keyNamesIn(scheme: unknown): string[] {
  if (typeof scheme !== "object" || scheme === null) return [];
  const { apiKeySecurityScheme: inner, name } = scheme as Record<string, unknown>;
  if (inner !== undefined) return keyNamesIn(inner);
  return typeof name === "string" ? [name.toLowerCase()] : [];
}
