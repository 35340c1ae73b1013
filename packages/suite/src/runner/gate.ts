import type { PeerInterface } from "@assay/wire";
import type { Obstacle } from "../obstacle.ts";
import type { Talk } from "../talk.ts";
import type { Reporting } from "./reporting.ts";
import type { Watchers } from "./watchers.ts";

/**
 * Holds the conversations of an interface back until it is known that somebody speaks there: what a stranger answered is
 * held against nobody, and then all these checks are held up by the same cause.
 */
export class Gate {
  readonly #watchers: Watchers;
  readonly #on: PeerInterface;
  readonly #report: Reporting;
  #waiting: Talk[] | undefined = [];
  #obstacle: Obstacle | undefined;

  constructor(watchers: Watchers, on: PeerInterface, report: Reporting) {
    this.#watchers = watchers;
    this.#on = on;
    this.#report = report;
  }

  hear(talk: Talk): void {
    if (!this.#watchers.isOn(talk) || this.#obstacle) return;
    if (this.#waiting) this.#waiting.push(talk);
    else this.#judge(talk);
  }

  /** Somebody speaks there, or, with an obstacle, nobody does. */
  open(obstacle?: Obstacle): void {
    this.#obstacle = obstacle;
    if (!obstacle) for (const talk of this.#waiting ?? []) this.#judge(talk);
    this.#waiting = undefined;
  }

  #judge(talk: Talk): void {
    this.#watchers.see(talk, (check, finding) => this.#report.finding({ check, on: this.#on }, finding));
  }

  conclude(): void {
    const on = this.#on;
    for (const said of this.#watchers.conclude()) {
      const place = { check: said.check, on };
      if (this.#obstacle) this.#report.obstacle(place, this.#obstacle);
      else if ("finding" in said) this.#report.finding(place, said.finding);
      else this.#report.trouble(place, said.trouble);
    }
  }
}
