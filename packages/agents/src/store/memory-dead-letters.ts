import { BudgetExceeded, type Ledger } from "@assay/wire/server";
import {
  type DeadLetter,
  type DeadLetterRoom,
  type DeadLetters,
  defaultLetterRoom,
  type Recipient,
} from "./dead-letter.ts";

interface KeptLetter extends Recipient {
  readonly letter: DeadLetter;
  readonly bytes: number;
}

/** Cost of a letter besides its body. */
const letterBytes = 1_000;

/** Stores undelivered notifications in memory, charged to their callers. */
export class MemoryDeadLetters implements DeadLetters {
  readonly #ledger: Ledger;
  readonly #room: DeadLetterRoom;
  /** earliest first */
  #kept: KeptLetter[] = [];

  constructor(ledger: Ledger, room: DeadLetterRoom = defaultLetterRoom) {
    this.#ledger = ledger;
    this.#room = room;
  }

  add({ scope, account }: Recipient, letter: DeadLetter): void {
    const bytes = letterBytes + 2 * (letter.body?.length ?? 0);
    const isOwn = (each: KeptLetter): boolean => each.account === account;
    while (this.#kept.filter(isOwn).length >= this.#room.caller) this.#drop(isOwn);
    if (this.#kept.length >= this.#room.total) this.#drop(() => true);
    for (;;) {
      try {
        this.#ledger.charge(account, bytes);
        break;
      } catch (error) {
        if (!(error instanceof BudgetExceeded)) throw error;
        if (!this.#drop(isOwn)) return;
      }
    }
    this.#kept.push({ scope, account, letter, bytes });
  }

  async list(scope: string, taskId?: string): Promise<readonly DeadLetter[]> {
    return this.#kept
      .filter((each) => each.scope === scope && (taskId === undefined || each.letter.taskId === taskId))
      .map(({ letter }) => letter)
      .reverse()
      .slice(0, this.#room.caller);
  }

  async clear(scope: string): Promise<void> {
    while (this.#drop((each) => each.scope === scope));
  }

  /** Deletes the earliest matching letter; false if there is none. */
  #drop(isMeant: (kept: KeptLetter) => boolean): boolean {
    const at = this.#kept.findIndex(isMeant);
    const [dropped] = at < 0 ? [] : this.#kept.splice(at, 1);
    if (dropped) this.#ledger.release(dropped.account, dropped.bytes);
    return dropped !== undefined;
  }
}
