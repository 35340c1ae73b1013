import { type ClientRequest, defaultRuleSet, maskedEvent } from "@assay/suite";
import type { RunEnding, RunEvent } from "@assay/suite/report";
import { createMasker, type Exchange, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import type { ClientTestOptions } from "./options.ts";
import { interfaceOf } from "./perform.ts";

type RunHead = Pick<
  ClientTestOptions,
  "run" | "version" | "command" | "ruleSet" | "strict" | "only" | "skip" | "situations"
>;

/** Emits a client run as events, with the client's credentials masked. */
export class ClientRunEvents {
  readonly #push: (event: RunEvent) => void;
  readonly #secrets: Secret[] = [];
  readonly #began = performance.now();

  constructor(push: (event: RunEvent) => void) {
    this.#push = push;
  }

  emit(event: RunEvent): void {
    this.#push(maskedEvent(event, createMasker(this.#secrets)));
  }

  started({ run, version, command, ruleSet = defaultRuleSet, strict = false, only, skip, situations }: RunHead): void {
    this.emit({
      event: "run-started",
      subject: "client",
      run,
      at: new Date().toISOString(),
      tool: { name: "assay", version },
      ruleSet,
      agentUrl: command.join(" "),
      depth: "full",
      strict,
      ...((only?.length || skip?.length || situations?.length) && { filtered: true }),
    });
  }

  exchange(exchange: Exchange, request: ClientRequest, during: string): void {
    this.#learnSecrets(exchange);
    this.emit({
      event: "exchange",
      id: exchange.id,
      ...(request.is === "call" && request.operation && { operation: request.operation }),
      ...(request.is === "call" && { interface: interfaceOf(request.on) }),
      during,
      entry: toHarEntry(createMasker(this.#secrets).exchange(exchange)),
    });
  }

  finished(ending: RunEnding, message?: string): void {
    this.emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#began),
      workingMessages: 0,
      ...(message !== undefined && { message }),
    });
  }

  /** Collects the client's credentials, to mask them. */
  #learnSecrets({ http: { request } }: Exchange): void {
    const found = request.headers.flatMap(([name, value]) => secretsInHeader(name, value));
    for (const secret of found)
      if (!this.#secrets.some(({ value }) => value === secret.value)) this.#secrets.push(secret);
  }
}
