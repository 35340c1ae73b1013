import type { Message, Task } from "@assay/protocol";
import type { TaskCall } from "../definition/call.ts";
import type { Clock } from "../definition/clock.ts";
import { type Relay, type Turn, textOf, type UserDecision } from "../definition/skill.ts";
import type { Cancellation } from "./cancellation.ts";
import type { EngineOptions } from "./options.ts";

/** The context of a turn, and its task if there is one yet. */
interface TurnPlace {
  readonly contextId: string;
  /** set as soon as there is a task */
  id?: string;
}

/** Maximum number of other tasks of a context that a skill sees. */
const mostEarlier = 100;

/** One turn for a skill. Costly members are created on first use. */
export class EngineTurn implements Turn {
  readonly message: Message;
  readonly argument: string;
  readonly clock: Clock;
  declare readonly task?: Task;
  declare readonly authorisation?: UserDecision;
  readonly #options: EngineOptions;
  readonly #call: TaskCall;
  readonly #place: TurnPlace;
  readonly #cancellation: Cancellation;

  constructor(
    said: Pick<Turn, "message" | "argument" | "task" | "authorisation">,
    options: EngineOptions,
    call: TaskCall,
    place: TurnPlace,
    cancellation: Cancellation,
  ) {
    this.message = said.message;
    this.argument = said.argument;
    if (said.task) this.task = said.task;
    if (said.authorisation) this.authorisation = said.authorisation;
    this.clock = options.clock;
    this.#options = options;
    this.#call = call;
    this.#place = place;
    this.#cancellation = cancellation;
  }

  get text(): string {
    return textOf(this.message);
  }

  get authorisationUrl(): string | undefined {
    const { id } = this.#place;
    return id === undefined ? undefined : this.#options.authorisationUrl?.(this.#call, id);
  }

  get canceled(): boolean {
    return this.#cancellation.requested;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get relay(): Relay {
    return this.#options.relay(this.#call.account);
  }

  get earlier(): Turn["earlier"] {
    const { contextId, id: own } = this.#place;
    return async () => {
      const { tasks } = await this.#options.store.list(this.#call.scope, { contextId }, mostEarlier);
      return tasks.filter(({ id }) => id !== own).reverse();
    };
  }
}
