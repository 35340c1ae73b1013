import type { PeerInterface } from "@assay/wire";
import type { Call } from "../../call.ts";
import type { Obstacle } from "../../obstacle.ts";
import type { Reporting } from "../reporting.ts";
import type { Watchers } from "./passive-checks.ts";

/**
 * Holds the conversations of an interface back until it is known that somebody speaks there: what a stranger answered is
 * held against nobody, and then all these checks are held up by the same cause.
 */
export class Gate {
  readonly #watchers: Watchers;
  readonly #on: PeerInterface;
  readonly #report: Reporting;
  #waiting: Call[] | undefined = [];
  #obstacle: Obstacle | undefined;

  constructor(watchers: Watchers, on: PeerInterface, report: Reporting) {
    this.#watchers = watchers;
    this.#on = on;
    this.#report = report;
  }

  hear(call: Call): void {
    if (!this.#watchers.isOn(call) || this.#obstacle) return;
    if (this.#waiting) this.#waiting.push(call);
    else this.#judge(call);
  }

  /** Somebody speaks there, or, with an obstacle, nobody does. */
  open(obstacle?: Obstacle): void {
    this.#obstacle = obstacle;
    if (!obstacle) for (const call of this.#waiting ?? []) this.#judge(call);
    this.#waiting = undefined;
  }

  #judge(call: Call): void {
    this.#watchers.see(call, (check, finding) => this.#report.finding({ check, on: this.#on }, finding));
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
