import { jsonIn } from "@assay/protocol";
import type { Exchange, HeaderPairs } from "@assay/wire";
import { asObject } from "../answers/loose-json.ts";
import { describeReply, type LooseTask, taskIn } from "../answers/reading.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { getJson } from "./cards.ts";
import { noTask } from "./no-task.ts";
import { follow } from "./sent-message.ts";

/**
 * Returns the agent in 1.0, over the same binding if possible. An agent of one version has nothing to keep apart, and
 * undeclared versions never cause a failure.
 */
export function inNewerVersion(target: Target): Target {
  const newer = target.otherVersions.filter(({ on, facts }) => {
    const isClaimed = facts.declared.some(({ dialect }) => dialect === "1.0");
    return isClaimed && on.dialect === "1.0" && on.tenant === target.on.tenant;
  });
  const found = newer.find(({ on }) => on.binding === target.on.binding) ?? newer[0];
  if (!found) throw doesNotApply("the run does not test the agent in 1.0 as well");
  return found;
}

/** A task created in 1.0, on an interface of an older version. */
export interface MadeElsewhere {
  readonly task: LooseTask;
  readonly other: Target;
}

export const madeInNewerVersion = observation<MadeElsewhere>("a task made in 1.0", {
  messages: 1,
  prompts: ["task"],
  rank: 5,
  async make(target) {
    const other = inNewerVersion(target);
    // A file and data show more losses than text.
    const call = await other.send(other.hasPrompt("file") ? "file" : "task");
    const made = taskIn(call);
    if (!made) {
      if (call.reply.is === "result") throw noTask();
      throw skipped("not-triggered", `Assay could not create a task in 1.0: ${describeReply(call)}`);
    }
    const { last } = await follow(other, made);
    if (!last) throw skipped("not-triggered", "the agent does not keep ended tasks");
    return { task: last, other };
  },
});

/** The card for clients of 1.0 and for clients of this version. */
export interface BothCards {
  readonly newer: { readonly json: Record<string, unknown>; readonly exchange: Exchange };
  readonly older: { readonly json: Record<string, unknown>; readonly exchange: Exchange };
}

export const bothCards = observation<BothCards>("the card in both versions", {
  aside: true,
  async make(target) {
    const other = inNewerVersion(target);
    const [newer, older] = [
      await cardOf(target, other.facts.cardUrl, [["A2A-Version", "1.0"]]),
      await cardOf(target, target.facts.cardUrl, []),
    ];
    if (older.json["url"] === undefined) throw doesNotApply("the agent has no card for clients of this version");
    return { newer, older };
  },
});

async function cardOf(target: Target, url: string, version: HeaderPairs): Promise<BothCards["newer"]> {
  const exchange = await getJson(target, url, version);
  const json = asObject(jsonIn(exchange.http.response?.body));
  if (!json) throw skipped("unstable", "Assay found the card once and could not fetch it again");
  return { json, exchange };
}
