import { A2AError } from "@assay/protocol";
import type { Perform } from "../definition/call.ts";
import type { Clock } from "../definition/clock.ts";
import type { Divergence } from "../definition/divergence.ts";
import { artifact, reply, type Skill, type SkillEvent, skill, status, type Turn } from "../definition/skill.ts";
import { type Chance, chanceFrom } from "./chance.ts";

/**
 * Simulates agents built on a language model: slow, wordy, never the same twice, and easily overloaded. A
 * check must judge the actual answer, not an expected one.
 * The n-th message from any client gets the n-th mood of the seed.
 */
export const moody: Divergence = {
  id: "moody",
  base: "minimal",
  does: "Simulates a language model: slow, one message at a time, and never twice the same answer.",
  differs: (seed) => {
    const model = new Model();
    const thinking = thinker(model, seed);
    return {
      name: "Moody Agent",
      description: "Answers anything at its own pace and in its own words, like agents built on a language model.",
      skills: [thinking],
      only: thinking,
      streaming: true,
      layers: { operations: unlessPressed(model) },
    };
  },
};

/** Rejects a surplus message before processing it (429, RESOURCE_EXHAUSTED). */
const unlessPressed =
  (model: Model) =>
  (perform: Perform): Perform =>
  (operation, request, invocation) => {
    const isSend = operation === "SendMessage" || operation === "SendStreamingMessage";
    if (!isSend || !model.isPressed) return perform(operation, request, invocation);
    const message = "The model is busy with other messages. Try again in a moment";
    return Promise.reject(new A2AError("TooManyRequests", message, { facts: { retryAfterSeconds: "2" } }));
  };

function thinker(model: Model, seed: number): Skill {
  let heard = 0;
  return skill("conversation", {
    name: "Conversation",
    description: "Talks about anything.",
    tags: ["chat"],
    examples: ["Reply with the word OK."],

    async *run(turn) {
      const chance = chanceFrom(seed, heard++);
      const place = model.enter();
      try {
        yield* answer(turn, chance, (ms) => place.think(ms, turn.clock, turn.signal));
      } finally {
        place.leave();
      }
    },
  });
}

/** Takes two to eight seconds for a message. */
async function* answer(
  turn: Turn,
  chance: Chance,
  think: (ms: number) => Promise<void>,
): AsyncGenerator<SkillEvent, void, undefined> {
  const time = chance.between(2_000, 8_000);
  const words = wordsFor(turn.text, chance);
  if (!turn.task && chance.happens(35)) {
    await think(time);
    return yield reply(words);
  }
  yield chance.happens(50) ? status("working") : status("working", chance.pick(beginnings));
  // Ask back at most once, because a conversation might never end otherwise.
  if (!turn.task && chance.happens(20)) {
    await think(time);
    return yield status("input-required", chance.pick(questions));
  }
  const updates = chance.between(0, 3);
  for (let update = 0; update < updates; update++) {
    await think(time / (updates + 1));
    yield status("working", chance.pick(progress));
  }
  await think(time / (updates + 1));
  yield* inChunks(words, chance);
  yield chance.happens(50) ? status("completed") : status("completed", chance.pick(endings));
}

/** Splits the words into a random number of chunks; some models omit which is the last. */
function* inChunks(words: string, chance: Chance): Generator<SkillEvent> {
  const pieces = words.match(new RegExp(`.{1,${chance.between(8, 40)}}`, "gsu")) ?? [words];
  const name = chance.pick(["answer", "response", "result"]);
  const closes = chance.happens(70);
  for (const [index, piece] of pieces.entries()) {
    yield artifact(name, piece, { append: index > 0, last: closes && index === pieces.length - 1 });
  }
}

function wordsFor(text: string, chance: Chance): string {
  const wanted = /\breply with the word (\w+)/i.exec(text)?.[1];
  if (wanted) return chance.pick([wanted, `${wanted}.`, `Sure: ${wanted}`, `${wanted}!`]);
  const about = text.trim().slice(0, 40) || "nothing in particular";
  return `${chance.pick(openings)} ${chance.pick(opinions)} (You said: ${about}.)`;
}

const openings = ["Good question.", "Let me see.", "Certainly!", "As far as I can tell,"] as const;
const opinions = [
  "It depends on what you want to do with it.",
  "There are at least two ways to look at this, and I like the second better.",
  "I would start small and measure.",
] as const;
const beginnings = ["Thinking …", "On it.", "Reading your message."] as const;
const progress = ["Still thinking …", "Searching.", "Weighing the options.", "Almost there."] as const;
const questions = [
  "Could you tell me more about that?",
  "Which of the two do you mean?",
  "How detailed should it be?",
] as const;
const endings = ["There you go.", "Anything else?", "Done."] as const;

/** Maximum number of messages that wait for the model before further ones are rejected. */
const patience = 3;

/** One message's place in the queue. */
interface Place {
  /**
   * Waits for earlier messages and then for the thinking time; rejects with the signal's reason if it is
   * aborted first.
   */
  think(ms: number, clock: Clock, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** Simulates a language model: it serves one message at a time, with a queue. */
export class Model {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** another message would wait too long */
  get isPressed(): boolean {
    return this.#waiting >= patience;
  }

  enter(): Place {
    this.#waiting++;
    const before = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = Promise.all([before, left]);
    return {
      async think(ms, clock, signal) {
        await Promise.race([before, aborted(signal)]);
        await clock.sleep(ms, signal);
      },
      leave: () => {
        this.#waiting--;
        leave();
      },
    };
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
