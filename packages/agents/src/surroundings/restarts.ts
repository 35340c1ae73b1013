import { chanceFrom } from "../variants/chance.ts";
import { asksFor, between, delivered, when } from "./conducts.ts";
import { atFirst, insteadOfAnswer, plainly, thought } from "./deliveries.ts";
import { type Conduct, type Passage, type Surrounding, surrounding } from "./surrounding.ts";

/** The agent's process ends, and mostly comes back. */

/** Restarts at the first request about an accepted message. */
function forgetful(): Conduct {
  let state: "new" | "has tasks" | "restarted" = "new";
  const answered = thought((answer, passage) => {
    if (state === "new") state = "has tasks";
    return plainly(answer, passage);
  });
  return (passage) => {
    if (passage.asks === "send") return passage.forward(answered);
    if (state !== "has tasks" || passage.asks !== "other") return passage.forward();
    state = "restarted";
    passage.forget();
    return passage.forward();
  };
}

/** Restarts at arbitrary requests and loses its tasks each time. */
function unreliable(): Conduct {
  const isTime = ({ number }: Passage): boolean => number > 20 && chanceFrom(2, number).happens(4);
  return when(isTime, ({ goDown, forget }) => {
    forget();
    goDown(300);
  });
}

export const restarts: readonly Surrounding[] = [
  surrounding("restart", "The agent restarts at the first message and refuses every connection for 1.5 s.", () =>
    when(asksFor("send"), delivered(thought(atFirst(insteadOfAnswer(({ goDown }) => goDown(1_500)))))),
  ),
  surrounding(
    "restart-forgets",
    "The agent restarts behind its gateway once it has tasks, and loses them all.",
    forgetful,
  ),
  surrounding(
    "restarts-at-random",
    "A supervisor restarts the agent at random requests. It refuses connections for 0.3 s and loses its tasks.",
    unreliable,
  ),
  surrounding("death", "The agent dies in the middle of the run and refuses every connection from then on.", () =>
    when(between(61, 61), ({ goDown }) => goDown()),
  ),
];
