import type { JsonObject } from "@assay/protocol";
import { grpcMessagesIn } from "@assay/protocol/grpc";
import { jsonIn } from "@assay/suite/report";
import { createMasker, type Exchange, type Masker, type Secret, secretsInHeader } from "@assay/wire";

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

  /** Learns the credentials of a request, and those that it gives the agent for a webhook. */
  learn({ url, headers, body }: Exchange["http"]["request"]): void {
    const inHeaders = headers.flatMap(([name, value]) =>
      secretsInHeader(name, value, this.#named.has(name.toLowerCase())),
    );
    const messages = grpcMessagesIn(body, url, "request");
    const bytes = messages
      ? Buffer.from(JSON.stringify(messages))
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    // Most bodies are about something else, and some are large.
    const isAboutWebhook = url.includes("ushNotificationConfig") || bytes.includes("ushNotificationConfig");
    const ofWebhook = isAboutWebhook ? webhookSecretsIn(bytes.toString("utf8")) : [];
    this.#add([...inHeaders, ...ofWebhook]);
  }

  #add(secrets: readonly Secret[]): void {
    const fresh = secrets.filter(({ value }) => !this.#secrets.has(value));
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

/** Reads the members of a push configuration by which an agent proves itself to the webhook, as JSON has them. */
const webhookSecretsIn = (text: string): Secret[] =>
  [...text.matchAll(/"(credentials|token)"\s*:\s*("(?:[^"\\]|\\.)+")/g)].flatMap(([, name, quoted]) => {
    const value = jsonIn(quoted!);
    return typeof value === "string" && value !== "" ? [{ name: `webhook ${name}`, value }] : [];
  });

/**
 * Reads the header names of a scheme. In 1.0 the name is under `apiKeySecurityScheme`, earlier in the scheme itself.
 */
function keyNamesIn(scheme: unknown): string[] {
  if (typeof scheme !== "object" || scheme === null) return [];
  const { apiKeySecurityScheme: inner, name } = scheme as Record<string, unknown>;
  if (inner !== undefined) return keyNamesIn(inner);
  return typeof name === "string" ? [name.toLowerCase()] : [];
}
