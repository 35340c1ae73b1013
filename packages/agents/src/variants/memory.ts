import { A2AError, isTerminal, type JsonObject, type ListTasksRequest, type Task } from "@assay/protocol";
import { type Divergence, variant } from "../mutant.ts";
import { changeParams, type InterceptedOperation, intercept, orElse } from "../mutation/operations.ts";
import type { Outcome } from "../server/agent-host.ts";

/** What an agent keeps, and what it takes from clients. */

const sends = ["SendMessage", "SendStreamingMessage"] as const;

const gone = (id: string): A2AError => new A2AError("TaskNotFound", `There is no task ${id} here any more`);

/** The page of a list from which the ended tasks are gone; what is wrong with the request is told as ever. */
async function listOpen({ request, proceed, ask }: InterceptedOperation<"ListTasks">): Promise<Outcome> {
  const { pageToken = "", pageSize = 50, ...filter } = request;
  if (pageSize < 1 || pageSize > 100 || !/^(open-\d+)?$/.test(pageToken)) return proceed();
  const open: Task[] = [];
  let next: string | undefined;
  do {
    const wish: ListTasksRequest = { ...filter, pageSize: 100, ...(next && { pageToken: next }) };
    const page = await ask("ListTasks", wish);
    open.push(...page.tasks.filter(({ status }) => !isTerminal(status.state)));
    next = page.nextPageToken;
  } while (next);
  const from = Number(pageToken.slice("open-".length));
  const to = from + pageSize;
  const nextPageToken = to < open.length ? `open-${to}` : "";
  return { answer: { tasks: open.slice(from, to), nextPageToken, pageSize, totalSize: open.length } };
}

export const memoryVariants: readonly Divergence[] = [
  // §3.3.2: a task may be gone because it was purged after its end.
  variant("purges-ended", "spec", "A task that has ended is gone at once.", {
    operations: (perform) => {
      const lists = intercept(["ListTasks"], listOpen);
      const reads = intercept(["GetTask"], async ({ request, proceed }) => {
        const outcome = await proceed();
        if (isTerminal((outcome.answer as Task).status.state)) throw gone(request.id);
        return outcome;
      });
      const cancels = intercept(["CancelTask"], ({ request, proceed }) =>
        orElse(proceed(), "TaskNotCancelable", () => {
          throw gone(request.id);
        }),
      );
      const subscribes = intercept(["SubscribeToTask"], ({ request, proceed }) =>
        orElse(proceed(), "UnsupportedOperation", () => {
          throw gone(request.id);
        }),
      );
      const takes = intercept(sends, async ({ request, proceed, ask }) => {
        const { taskId } = request.message;
        if (taskId && isTerminal((await ask("GetTask", { id: taskId })).status.state)) throw gone(taskId);
        return proceed();
      });
      return lists(reads(cancels(subscribes(takes(perform)))));
    },
  }),

  // §3.4.1: an agent that cannot take a context of the client refuses the message.
  {
    id: "own-contexts",
    base: "spec",
    does: "Only contexts that the agent has given out are taken.",
    differs: () => ({ habits: { ownContextsOnly: true } }),
  },

  // §3.3.2 names the error, and no agent has to read text; its card should say so, and here does not.
  variant("reads-data-alone", "spec", "A message that has a text is refused, because only data is read.", {
    operations: intercept(sends, ({ request, proceed }) => {
      if (!request.message.parts.some(({ text }) => text !== undefined)) return proceed();
      throw new A2AError("ContentTypeNotSupported", "This agent reads application/json alone");
    }),
  }),

  // What a caller may ask for is between him and the agent.
  variant("forbids-messages", "spec", "Messages are forbidden to this caller, whatever they say.", {
    operations: intercept(sends, async () => {
      throw new A2AError("PermissionDenied", "This account may look, and not ask");
    }),
  }),

  // RFC 9110 §15.5.3: in the words of the one who wants to be paid.
  variant("wants-payment", "spec", "Over HTTP messages cost something: they are answered with 402.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        ({ protocolBinding }) => protocolBinding !== "GRPC",
      ),
    }),
    http: (serve) => async (request, reply) => {
      const isMessage =
        /\/message:(send|stream)$/.test(request.path) ||
        (request.method === "POST" && /"method":"Send(Streaming)?Message"/.test(String(await request.body())));
      if (!isMessage) return serve(request, reply);
      reply.send(402, { "Content-Type": "application/json" }, JSON.stringify({ error: "payment required" }));
    },
  }),

  // AMB-36: nothing obliges an agent to look at media types.
  variant("any-media", "spec", "Parts are read whatever media type they name.", {
    operations: changeParams(sends, (request) => ({
      ...request,
      message: {
        ...request.message,
        parts: request.message.parts.map(({ mediaType: _named, ...part }) => part),
      },
    })),
  }),
];
