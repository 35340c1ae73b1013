import type { PeerInterface } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import type { Obstacle } from "../../define/obstacle.ts";
import type { Reporting } from "../reporting.ts";
import type { PassiveChecks } from "./passive-checks.ts";

/**
 * Holds calls back from the passive checks until the first contact shows that the agent answers there, because
 * responses of another server prove nothing. Without contact, one obstacle blocks all these checks.
 */
export class ContactGate {
  readonly #checks: PassiveChecks;
  readonly #on: PeerInterface;
  readonly #report: Reporting;
  #held: Call[] | undefined = [];
  #obstacle: Obstacle | undefined;

  constructor(checks: PassiveChecks, on: PeerInterface, report: Reporting) {
    this.#checks = checks;
    this.#on = on;
    this.#report = report;
  }

  receive(call: Call): void {
    if (!this.#checks.isOn(call) || this.#obstacle) return;
    if (this.#held) this.#held.push(call);
    else this.#judge(call);
  }

  /** Called after the first contact, with the obstacle if the agent does not answer. */
  decide(obstacle: Obstacle | undefined): void {
    this.#obstacle = obstacle;
    if (!obstacle) for (const call of this.#held ?? []) this.#judge(call);
    this.#held = undefined;
  }

  #judge(call: Call): void {
    this.#checks.judge(call, (check, finding) => this.#report.finding({ check, on: this.#on }, finding));
  }

  conclude(): void {
    const on = this.#on;
    for (const conclusion of this.#checks.conclude()) {
      const subject = { check: conclusion.check, on };
      if (this.#obstacle) this.#report.obstacle(subject, this.#obstacle);
      else if ("finding" in conclusion) this.#report.defer(subject, conclusion.finding);
      else this.#report.trouble(subject, conclusion.trouble);
    }
  }
}
