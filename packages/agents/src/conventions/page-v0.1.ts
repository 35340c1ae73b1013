import { isObject, type JsonObject, type Message } from "@assay/protocol/core";
import type { Convention } from "../definition/agent.ts";
import { artifact, type Skill, type SkillEvent, skill, status, type Turn, textOf } from "../definition/skill.ts";
import { bySchema } from "./by-schema.ts";

/** One conversation of the page: its opening words and the agent's behaviour. */
interface PageConversation {
  readonly opens: RegExp;
  run(turn: Turn): AsyncGenerator<SkillEvent, void, undefined>;
}

/** Long enough that a send is answered earlier, as the page shows it. */
const longMs = 3_000;

const tickets = [
  { ticketNumber: "T-1041", description: "The badge reader of the east door is offline" },
  { ticketNumber: "T-1077", description: "A second screen for desk 12" },
];

/**
 * The conversations of the page that introduced 0.1, in the same shape: the agent's questions, the work left
 * when the response is sent, the names of artifacts. The texts of the answers are our own.
 */
export const pageConversations: Readonly<Record<string, PageConversation>> = {
  joke: {
    opens: /^\s*tell\b.*\bjoke\b/is,
    async *run() {
      yield status("working");
      yield artifact("joke", "Two agents meet. Says one: INPUT_REQUIRED. Says the other: likewise.", { last: true });
      yield status("completed");
    },
  },

  phone: {
    opens: /^\s*request\b.*\bphone\b/is,
    async *run({ task, text }) {
      const [chosen] = /iphone|android/i.exec(task ? text : "") ?? [];
      if (!chosen) return yield status("input-required", "Which one shall it be, iPhone or Android?");
      yield status("working");
      yield artifact("order-confirmation", `The ${chosen} is ordered under the number P-2207.`, { last: true });
      yield status("completed");
    },
  },

  report: {
    opens: /^\s*analy[sz]e\b.*\breport\b/is,
    async *run({ message, clock, signal }) {
      yield status("working", "The report is being read; ask again in a moment.");
      await clock.sleep(longMs, signal);
      const files = message.parts.filter(({ raw, url }) => raw !== undefined || url !== undefined);
      const read = files.map(({ filename = "a file", mediaType = "of no known type" }) => `${filename} (${mediaType})`);
      yield artifact("overview", `Read: ${read.join(", ") || "no file was attached"}.`, { last: true });
      yield status("completed");
    },
  },

  tickets: {
    opens: /^\s*show\b.*\btickets\b/is,
    async *run({ message, clock, signal }) {
      const schema = schemaIn(message);
      const text = schema
        ? JSON.stringify(bySchema(schema, tickets))
        : tickets.map(({ ticketNumber, description }) => `${ticketNumber} ${description}`).join("\n");
      const parts = [{ text, ...(schema ? { metadata: { mimeType: "application/json" } } : {}) }];
      yield { is: "status", state: "TASK_STATE_WORKING", parts };
      await clock.sleep(longMs, signal);
      yield artifact("tickets", parts, { last: true });
      yield status("completed");
    },
  },

  paper: {
    opens: /^\s*write\b.*\bpaper\b/is,
    async *run({ message, clock, signal }) {
      yield status("working");
      const pictures = message.parts.filter(({ mediaType = "" }) => mediaType.startsWith("image/")).length;
      const sections = [`The pictures: ${pictures}.`, "What they have in common.", "What is left to say."];
      for (const [index, section] of sections.entries()) {
        await clock.sleep(longMs / sections.length, signal);
        yield artifact("paper", `${section}\n`, { append: index > 0, last: index === sections.length - 1 });
      }
      yield status("completed");
    },
  },
};

/** Returns the schema for structured output from the metadata of a part. */
function schemaIn({ parts }: Message): JsonObject | undefined {
  const schema = parts.find(({ metadata }) => isObject(metadata?.["schema"]))?.metadata?.["schema"];
  return schema as JsonObject | undefined;
}

const conversations = Object.entries(pageConversations).map(([id, { opens, run }]) => ({
  opens,
  speaks: skill(id, { name: id, description: `The page of 0.1: ${id}.`, tags: [], examples: [], run }),
}));

/** The page that introduced 0.1: a client that tries its examples gets the documented results. */
export const pageOfV01: Convention = {
  suite: "the page of 0.1",
  choose: (message): Skill | undefined => conversations.find(({ opens }) => opens.test(textOf(message)))?.speaks,
};
