import { A2AError, type JsonObject, type JsonValue, type SendMessageRequest } from "@assay/protocol";
import { type Divergence, spec11 } from "../definition/divergence.ts";
import { status } from "../definition/skill.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { answerOf, eachMember, events, inJson, without } from "../mutation/json.ts";
import { changeAnswer, changeParams, intercept, refuseAs } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";
import { gone } from "../mutation/streams.ts";

const sends = ["SendMessage", "SendStreamingMessage"] as const;

/** Changes every generation in a JSON value. */
const counted = (json: JsonValue, change: (generation: number) => number): JsonValue =>
  eachMember(json, "generation", (value) => String(change(Number(value))));

/** Changes the generation of one kind of event. */
const inEvent = (members: readonly string[], change: (update: JsonObject) => JsonObject) =>
  events((event) => {
    const member = members.find((name) => event[name]);
    return member === undefined ? event : { ...event, [member]: change(event[member] as JsonObject) };
  });

const oneLess = (update: JsonObject): JsonObject => ({
  ...update,
  generation: String(Number(update["generation"]) - 1),
});

const unguarded = ({ configuration, ...request }: SendMessageRequest): SendMessageRequest => {
  const { ifGenerationMatch: _guard, ...rest } = configuration ?? {};
  return { ...request, configuration: rest };
};

/** Violations of the draft of 1.1. */
export const generationMutants: readonly Divergence[] = [
  spec11("GEN-001.unlisted", "ListTasks returns tasks without a generation.", {
    codec: answerOf("ListTasks", (page) => ({
      ...page,
      tasks: (page["tasks"] as JsonObject[]).map((task) => without(task, "generation")),
    })),
  }),

  spec11("GEN-001.uncounted", "Tasks and events have no generation.", {}, { habits: {} }),

  spec11("GEN-001.zero-events", "Events have generation 0.", {
    codec: inEvent(["statusUpdate", "artifactUpdate"], (update) => ({ ...update, generation: "0" })),
  }),

  spec11("GEN-002.from-two", "A new task has generation 2.", {
    codec: (json) => counted(json, (generation) => generation + 1),
  }),

  spec11("GEN-003.by-two", "The generation rises by 2 with every change.", {
    codec: (json) => counted(json, (generation) => 2 * generation - 1),
  }),

  spec11("GEN-004.artifacts", "An artifact update has the generation of the event before it.", {
    codec: inEvent(["artifactUpdate"], oneLess),
  }),

  spec11("GEN-004.progress", "A status update that changes no state has the generation of the event before it.", {
    async *events(told) {
      for await (const event of told) {
        yield event;
        if (event.is === "status" && event.state === "TASK_STATE_WORKING") yield status("working", "Still working.");
      }
    },
    codec: (json) => counted(json, (generation) => (generation > 2 ? generation - 1 : generation)),
  }),

  spec11("GEN-005.before", "Events carry the generation before their change.", {
    codec: inEvent(["statusUpdate", "artifactUpdate"], oneLess),
  }),

  spec11("GEN-006.none", "Notifications have no generation.", {
    push: (post) => (url, headers, body, signal, kind) =>
      post(url, headers, body.replaceAll(/,"generation":"\d+"/g, ""), signal, kind),
  }),

  spec11("GEN-007.number", "The generation is a JSON number.", {
    codec: inJson((json) => eachMember(json, "generation", Number)),
  }),

  spec11("GEN-008.reads", "GetTask raises the generation.", () => {
    const reads = new RecentMap<number>();
    const operations = changeAnswer(["GetTask"], (task) => {
      const count = (reads.get(task.id) ?? 0) + 1;
      reads.set(task.id, count);
      return { ...task, generation: String(Number(task.generation) + count) };
    });
    return { operations };
  }),

  spec11("GEN-009.holds", "GetTask with an older currentGeneration waits for the next change.", {
    operations: intercept(["GetTask"], async ({ request, proceed, invocation }) => {
      const outcome = await proceed();
      const { generation } = outcome.answer as { generation: string };
      if (Number(request.currentGeneration ?? generation) < Number(generation)) await gone(invocation.client.signal);
      return outcome;
    }),
  }),

  spec11("GEN-010.oversleeps", "A waiting GetTask does not return when the task changes.", {
    operations: intercept(["GetTask"], async ({ request, proceed, ask, invocation }) => {
      const { currentGeneration, ...plain } = request;
      if (currentGeneration === undefined) return proceed();
      const { generation } = await ask("GetTask", plain);
      if (Number(generation) <= Number(currentGeneration)) await gone(invocation.client.signal);
      return proceed(plain);
    }),
  }),

  spec11("GEN-011.refuses", "GetTask with a newer currentGeneration returns an error.", {
    operations: intercept(["GetTask"], async ({ request, proceed, ask }) => {
      const { currentGeneration, ...plain } = request;
      const { generation } = await ask("GetTask", plain);
      if (Number(currentGeneration ?? 0) <= Number(generation)) return proceed();
      throw new A2AError("InvalidParams", "currentGeneration is in the future");
    }),
  }),

  spec11("GEN-012.ignores", "The agent ignores ifGenerationMatch.", { operations: changeParams(sends, unguarded) }),

  spec11("GEN-012.older", "The agent accepts a message for an older generation.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId } = request.message;
      const guard = request.configuration?.ifGenerationMatch;
      if (!taskId || guard === undefined) return proceed();
      const { generation } = await ask("GetTask", { id: taskId });
      return proceed(Number(guard) < Number(generation) ? unguarded(request) : request);
    }),
  }),

  spec11("GEN-013.unsupported", "A generation mismatch returns UnsupportedOperationError.", {
    operations: refuseAs(sends, "TaskGenerationMismatch", "UnsupportedOperation"),
  }),

  spec11("GEN-013.http-412", "Over HTTP+JSON, a generation mismatch returns HTTP 412.", {
    http: changeAnswers((answer) => (answer.status === 409 ? { ...answer, status: 412 } : answer)),
  }),

  spec11("GEN-014.refuses", "The agent rejects every message with ifGenerationMatch to an existing task.", {
    operations: intercept(sends, async ({ request, proceed }) => {
      const guard = request.configuration?.ifGenerationMatch;
      if (!request.message.taskId || guard === undefined) return proceed();
      throw new A2AError("TaskGenerationMismatch", "The task has changed");
    }),
  }),

  spec11("GEN-015.new-tasks", "The agent rejects a new task because of ifGenerationMatch.", {
    operations: intercept(sends, async ({ request, proceed }) => {
      if (request.message.taskId || request.configuration?.ifGenerationMatch === undefined) return proceed();
      throw new A2AError("TaskGenerationMismatch", "There is no task of that generation");
    }),
  }),

  spec11("GEN-016.snake-case", "Over HTTP+JSON, GetTask reads current_generation instead of currentGeneration.", {
    http: changeRequests((request) => ({
      query: request.query.replace("currentGeneration", "ignored").replace("current_generation", "currentGeneration"),
    })),
  }),
];
