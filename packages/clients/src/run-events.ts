import { type ClientRequest, defaultRuleSet, maskedEvent } from "@assay/suite";
import type { RunEnding, RunEvent } from "@assay/suite/report";
import { createMasker, type Exchange, type Masker, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import type { ClientTestOptions } from "./options.ts";
import { interfaceOf } from "./perform.ts";
import { shownCommand } from "./shown-command.ts";

type RunHead = Pick<ClientTestOptions, "run" | "version" | "ruleSet" | "strict" | "only" | "skip" | "situations">;

/** Emits a client run as events, with the client's credentials masked. */
export class ClientRunEvents {
  readonly #push: (event: RunEvent) => void;
  readonly #secrets: Secret[];
  /** the command line, without credentials */
  readonly command: string;
  readonly #began = performance.now();
  #masker: Masker;

  /** `env` is the environment of the command. */
  constructor(
    { command, env }: Pick<ClientTestOptions, "command"> & Partial<Pick<ClientTestOptions, "env">>,
    push: (event: RunEvent) => void,
  ) {
    const { text, secrets } = shownCommand(command, env);
    this.command = text;
    this.#secrets = [...secrets];
    this.#masker = createMasker(secrets);
    this.#push = push;
  }

  emit(event: RunEvent): void {
    this.#push(maskedEvent(event, this.#masker));
  }

  started({ run, version, ruleSet = defaultRuleSet, strict = false, only, skip, situations }: RunHead): void {
    this.emit({
      event: "run-started",
      subject: "client",
      run,
      at: new Date().toISOString(),
      tool: { name: "assay", version },
      ruleSet,
      agentUrl: this.command,
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
      entry: toHarEntry(this.#masker.exchange(exchange)),
    });
  }

  finished(ending: RunEnding): void {
    this.emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#began),
      workingMessages: 0,
    });
  }

  /** Collects the client's credentials, to mask them. */
  #learnSecrets({ http: { request } }: Exchange): void {
    const known = new Set(this.#secrets.map(({ value }) => value));
    const found = request.headers
      .flatMap(([name, value]) => secretsInHeader(name, value))
      .filter(({ value }) => !known.has(value));
    if (!found.length) return;
    this.#secrets.push(...found);
    this.#masker = createMasker(this.#secrets);
  }
}
