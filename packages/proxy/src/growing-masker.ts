import type { JsonObject } from "@assay/protocol";
import { createMasker, type HeaderPairs, type Masker, type Secret, secretsInHeader } from "@assay/wire";

/** As many secrets as are remembered; the oldest are forgotten, whose exchanges are written by then. */
const most = 500;

/**
 * A masker that learns: what clients show is not known beforehand. It reads the fields of a request before anything of it
 * is written.
 */
export class GrowingMasker implements Masker {
  readonly #secrets = new Map<string, Secret>();
  /** names of fields that the card calls keys */
  readonly #named = new Set<string>();
  #masker: Masker;

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) this.#secrets.set(secret.value, secret);
    this.#masker = createMasker(secrets);
  }

  /** The fields in which clients of this agent show their keys. */
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

/** Of 1.0 under `apiKeySecurityScheme`, before that in the scheme itself. */
function keyNamesIn(scheme: unknown): string[] {
  if (typeof scheme !== "object" || scheme === null) return [];
  const { apiKeySecurityScheme: inner, name } = scheme as Record<string, unknown>;
  if (inner !== undefined) return keyNamesIn(inner);
  return typeof name === "string" ? [name.toLowerCase()] : [];
}
