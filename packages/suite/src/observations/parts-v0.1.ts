import { randomUUID } from "node:crypto";
import type { Part } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";

/** A message of 0.1 for each kind of part besides text, all in one session of ours. */
export interface EveryKindOfPart {
  readonly sessionId: string;
  readonly bytes: Call;
  readonly uri: Call;
  readonly data: Call;
}

export const everyKindOfPart = observation<EveryKindOfPart>({
  name: "a file, a file by reference, and data",
  messages: 3,
  prompts: ["task"],
  rank: 5,
  async make(target) {
    const sessionId = randomUUID();
    const send = (part: Part): Promise<Call> =>
      target.send("task", { message: { contextId: sessionId }, parts: [...target.message("task").parts, part] });
    const file = { filename: "note.txt", mediaType: "text/plain" };
    return {
      sessionId,
      bytes: await send({ raw: Buffer.from("A note.\n").toString("base64"), ...file }),
      uri: await send({ url: "https://example.com/note.txt", ...file }),
      data: await send({ data: { colour: "green", count: 3 } }),
    };
  },
});

/** What a client of 0.1 asks for when it wants JSON: pages of the time put it into the metadata of a part. */
const wishedSchema = {
  type: "array",
  items: { type: "object", properties: { word: { type: "string" } } },
} as const;

/** A message that asks for JSON of this form. */
export const structuredWish = observation<Call>({
  name: "a message that asks for structured output",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make: (target) =>
    target.send("task", {
      parts: target
        .message("task")
        .parts.map((part) => ({ ...part, metadata: { mimeType: "application/json", schema: wishedSchema } })),
    }),
});
