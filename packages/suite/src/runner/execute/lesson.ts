import { sentMessage } from "../../observations/sent-message.ts";
import { candidatesFor, showable } from "../../stimuli/candidates.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";
import { fullMessagesPerInterface, observationKey, quickMessages } from "../plan/grant.ts";
import { missingIn, type Plan, type PlanInput, planRun } from "../plan/plan.ts";
import type { RunContext } from "../run-context.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import type { Lesson } from "./learning.ts";

/** The plan with the announced number of messages, and what to learn before the final plan. */
export interface Announced {
  readonly plan: Plan;
  readonly lesson: (Lesson & { readonly target: InterfaceUnderTest }) | undefined;
}

/** Assay tries at most this many prompts, and at most an eighth of all messages. */
const mostTrials = 6;
const shareOfTrials = 8;

/** Plans as if every behaviour could be triggered. If that changes nothing, there is nothing to learn. */
export function announcedFor(
  known: Plan,
  input: PlanInput,
  context: RunContext,
  isTestbed: boolean,
  [target]: readonly InterfaceUnderTest[] = context.answering,
): Announced {
  const version = target && context.versions.find(({ interfaces }) => interfaces.includes(target.on));
  if (!version) return { plan: known, lesson: undefined };
  const stimuli = version.preconditions.stimuli;
  const hopeful = (trials: number): Plan =>
    planRun({
      ...input,
      trials,
      versions: input.versions.map((each) => ({
        ...each,
        preconditions: { ...each.preconditions, stimuli: assumed(each.preconditions.stimuli) },
      })),
    });
  const trials = isTestbed ? 0 : trialsFor(input);
  const plan = hopeful(trials);
  const missing = missingIn(plan, version.dialect, stimuli);
  // The plain message is part of every run unless a filter excludes it.
  const isPaid = plan.allowance.kept?.has(observationKey(sentMessage, target.on));
  if (missing.length === 0 || (!isPaid && trials === 0)) return { plan: known, lesson: undefined };
  return {
    plan: isPaid ? plan : hopeful(trials + 1),
    lesson: {
      target,
      stimuli,
      // A small budget is spent on the behaviours that most rules need.
      missing: input.depth === "full" ? missing : [],
      candidates: candidatesFor(version.facts, context.options),
      trials,
    },
  };
}

/** Assumes that the plain message triggers every behaviour. */
const assumed = (stimuli: Stimuli): Stimuli =>
  Object.fromEntries([...showable.map((kind) => [kind, stimuli.task]), ...Object.entries(stimuli)]);

function trialsFor({ depth, budget, versions }: PlanInput): number {
  const interfaces = versions.reduce((sum, each) => sum + each.interfaces.length, 0);
  const most = depth === "full" ? fullMessagesPerInterface * interfaces : depth === "quick" ? quickMessages : 0;
  return Math.min(mostTrials, Math.floor(Math.min(most, budget ?? most) / shareOfTrials));
}
