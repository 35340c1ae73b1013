import { setTimeout as delay } from "node:timers/promises";
import { A2AError, type JsonObject } from "@assay/protocol";
import type { RequestHead } from "../definition/admission.ts";
import { type Divergence, spec, spec11 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { type SkillEvent, status } from "../definition/skill.ts";
import { replyWith } from "../mutation/http.ts";
import { intercept } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";

/** Longer than Assay waits for a request that the agent may hold. */
const holdMs = 8_000;

/** The draft: the agent may return earlier. */
const neverWaiting = intercept(["GetTask"], ({ request: { currentGeneration: _known, ...request }, proceed }) =>
  proceed(request),
);

/** Reports progress in short intervals while the skill works. */
const withProgress: NonNullable<Layers["events"]> = async function* (events, { clock, signal }) {
  let next = events.next();
  let isWorking = false;
  for (;;) {
    const tick = isWorking ? [clock.sleep(1_000, signal).then(() => undefined)] : [];
    // If the skill is faster, the sleep ends unobserved, also when it is aborted.
    for (const each of tick) each.catch(() => {});
    const step = await Promise.race([next, ...tick]);
    if (step === undefined) yield status("working", "Still working.");
    else if (step.done) return;
    else {
      isWorking = isWork(step.value);
      yield step.value;
      next = events.next();
    }
  }
};

const isWork = (event: SkillEvent): boolean => event.is === "status" && event.state === "TASK_STATE_WORKING";

/** Rejects the first GetTask with a generation for each task. */
function busyReads(): Layers {
  const seen = new RecentMap<true>();
  return {
    operations: intercept(["GetTask"], async ({ request, proceed }) => {
      if (request.currentGeneration === undefined || seen.get(request.id)) return proceed();
      seen.set(request.id, true);
      throw new A2AError("Unavailable", "Try again later");
    }),
  };
}

/** Closes the connection after the agent has processed the first message with ifGenerationMatch for each task. */
function lostAnswers(): Layers {
  const lost = new WeakSet<AbortSignal>();
  const seen = new RecentMap<true>();
  return {
    operations: intercept(["SendMessage"], async ({ request, proceed, invocation }) => {
      const outcome = await proceed();
      const { taskId } = request.message;
      if (!taskId || request.configuration?.ifGenerationMatch === undefined || seen.get(taskId)) return outcome;
      seen.set(taskId, true);
      lost.add(invocation.client.signal);
      return outcome;
    }),
    http: (serve) => (request, reply) =>
      serve(
        request,
        replyWith(reply, {
          send: (...answer) => (lost.has(request.signal) ? void reply.raw.destroy() : reply.send(...answer)),
        }),
      ),
  };
}

const newest = (card: JsonObject): JsonObject[] =>
  (card["supportedInterfaces"] as JsonObject[]).filter(({ protocolVersion }) => protocolVersion === "1.1");

/** Replaces a request for 1.0 by one for a version that no agent serves. */
function newestOnly(head: RequestHead): RequestHead {
  const isOld =
    /^1\.0(\.|$)/.test(String(head.headers["a2a-version"] ?? "")) || /A2A-Version=1\.0/i.test(head.query ?? "");
  return isOld ? { ...head, query: "", headers: { ...head.headers, "a2a-version": "98.0" } } : head;
}

/** Variants of the draft of 1.1. */
export const generationVariants: readonly Divergence[] = [
  spec11("only-1.1", "The card declares only 1.1, and the agent refuses 1.0.", {
    card: (card) => ({ ...card, supportedInterfaces: newest(card) }),
    admission: (admission) => ({
      ...admission,
      version: (head, agent) => admission.version(newestOnly(head), agent),
      dialect: (head, agent, method) => admission.dialect(newestOnly(head), agent, method),
    }),
  }),

  // The first interface is preferred, but clients that do not know 1.1 use the other.
  spec("newer-elsewhere", "Serves 1.0, and declares 1.1 before it, at the address of another agent.", {
    card: (card, baseUrl) => ({
      ...card,
      supportedInterfaces: [
        ...["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
          url: `${baseUrl}/variants/only-1.1`,
          protocolBinding,
          protocolVersion: "1.1",
        })),
        ...(card["supportedInterfaces"] as JsonObject[]),
      ],
    }),
  }),

  // An agent may be newer than its clients, because clients of 1.0 ignore unknown members.
  spec(
    "counts-for-all",
    "Tasks and events have a generation, although the card declares no version above 1.0.",
    {},
    { habits: { generation: true } },
  ),

  spec11("never-waits", "GetTask ignores currentGeneration.", { operations: neverWaiting }),

  spec11("never-waits-for-progress", "GetTask ignores currentGeneration, and working tasks often report progress.", {
    operations: neverWaiting,
    events: withProgress,
  }),

  spec11("slow-reads", "GetTask ignores currentGeneration, and every fourth call for a task is slow.", () => {
    const reads = new RecentMap<number>();
    return {
      operations: intercept(["GetTask"], async ({ request, proceed, invocation }) => {
        const { currentGeneration: _known, ...plain } = request;
        const count = (reads.get(request.id) ?? 0) + 1;
        reads.set(request.id, count);
        if (count % 4 === 0) await delay(1_200, undefined, { signal: invocation.client.signal }).catch(() => {});
        return proceed(plain);
      }),
    };
  }),

  spec11("busy-reads", "The agent is busy when it gets the first GetTask with a generation for a task.", busyReads),

  // AMB-55: agents raise the generation with a status update that repeats the state.
  spec11("submits-twice", "Tasks report again that they are submitted, before the agent works.", {
    async *events(told, { clock, signal }) {
      yield status("submitted");
      await clock.sleep(4_000, signal);
      yield* told;
    },
    // The response shows the task after that.
    operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
      const outcome = await proceed();
      const { task } = outcome.answer as { task?: { id: string } };
      if (!task || !request.configuration?.returnImmediately) return outcome;
      await delay(100);
      return { answer: { task: await ask("GetTask", { id: task.id }) } };
    }),
  }),

  spec11("loses-answers", "The connection breaks after the first message with ifGenerationMatch.", lostAnswers),

  // The draft names no limit, and no exception for ended tasks.
  spec11("waits-for-ended", "GetTask with the current generation waits although the task has ended.", {
    operations: intercept(["GetTask"], async ({ request, proceed, invocation }) => {
      const outcome = await proceed();
      const { generation } = outcome.answer as { generation: string };
      const isWaiting = BigInt(request.currentGeneration ?? -1) >= BigInt(generation);
      if (isWaiting) await delay(holdMs, undefined, { signal: invocation.client.signal }).catch(() => {});
      return outcome;
    }),
  }),
];
