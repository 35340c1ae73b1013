import { createHash } from "node:crypto";
import type { Exchange } from "@assay/wire";
import { WireError } from "@assay/wire/server";
import { answerText, judged, judgedJson, requestText } from "../compare.ts";
import type { Script } from "../ends.ts";
import type { Property } from "../property.ts";
import {
  idOf,
  messageOf,
  olderMessageOf,
  requestOf,
  resultText,
  type TestedBinding,
  type TestedVersion,
  typeOf,
  unknownTask,
} from "../requests.ts";
import { broken, changed, notExamined, type PropertyVerdict, preserved, worst } from "../verdict.ts";

/** Values that software often changes when it parses JSON and writes it again. JSON text, because of the numbers. */
const delicate = [
  `"assayUnknown":{"kept":true,"list":[null,0,""]}`,
  `"int64":9007199254740993`,
  `"float":1.10`,
  `"exponent":1e-7`,
  `"unicode":"\u00e9\u4f60\ud83d\ude00 e\u0301 \\u2028 \\u0000"`,
  `"base64":"+/8AAQ=="`,
  `"slashes":"<a href=\\"/\\">&amp;</a>"`,
].join(",");

/** Replaces the empty metadata of a request with the delicate values. */
const withDelicate = (body: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(body).toString().replace(`"metadata":{}`, `"metadata":{${delicate}}`));

/** A response whose values are delicate, as JSON text. */
const answer = `{"message":{"messageId":"m1","role":"ROLE_AGENT","parts":[{"text":"OK"}],"metadata":{${delicate}}}}`;

/** The same response in 0.3, whose HTTP+JSON follows its .proto. */
const olderAnswers: Readonly<Record<TestedBinding, string>> = {
  JSONRPC: `{"kind":"message","messageId":"m1","role":"agent","parts":[{"kind":"text","text":"OK"}],"metadata":{${delicate}}}`,
  "HTTP+JSON": `{"message":{"messageId":"m1","role":"ROLE_AGENT","content":[{"text":"OK"}],"metadata":{${delicate}}}}`,
};

const answering =
  (binding: TestedBinding, version: TestedVersion): Script =>
  async (request, reply) => {
    const id = idOf(await request.body());
    const result = version === "0.3" ? olderAnswers[binding] : answer;
    reply.send(200, { "Content-Type": typeOf(binding, version) }, resultText(binding, id, result));
  };

const bigBytes = 10 * 1024 * 1024;

export const bodyProperties: readonly Property[] = [
  {
    id: "GW-BODY-REQUEST",
    area: "bodies",
    older: true,
    title: "The gateway keeps every value in requests",
    breaks: "The agent gets other numbers, texts or members than the client sent.",
    remedy: "Pass request bodies on as bytes. Do not parse and write them again.",
    async examine(ends, binding, version) {
      const isOlder = version === "0.3";
      const message = isOlder ? olderMessageOf(binding, "gateway", {}) : messageOf("message-only gateway", {});
      const spec = requestOf(ends.through, binding, "SendMessage", message, [], version);
      // Only the agent of 1.0 behind the gateway answers messages itself.
      const script = isOlder ? answering(binding, version) : undefined;
      const sent = await ends.send({ ...spec, body: withDelicate(spec.body!) }, script);
      // A gateway may treat operations differently, for example translate some of them to another version.
      const read = await ends.send(unknownTask(ends.through, binding, [], version));
      const examined = [sent, read].map((passage) =>
        judged(passage, (arrived, client) =>
          judgedJson("the request", requestText(client), requestText(arrived), { part: "request" }),
        ),
      );
      const judgement = worst(examined.map((each) => each.judgement));
      return examined.find((each) => each.judgement === judgement)!;
    },
  },
  {
    id: "GW-BODY-ANSWER",
    area: "bodies",
    older: true,
    title: "The gateway keeps every value in responses",
    breaks: "The client gets other numbers, texts or members than the agent sent.",
    remedy: "Pass response bodies on as bytes. Do not parse and write them again.",
    async examine(ends, binding, version) {
      const message = version === "0.3" ? olderMessageOf(binding, "gateway") : messageOf("message-only gateway");
      const spec = requestOf(ends.through, binding, "SendMessage", message, [], version);
      const passage = await ends.send(spec, answering(binding, version));
      return judged(passage, (agent, client) => {
        const [want, saw] = [idOf(spec.body!), idOf(Buffer.from(answerText(client)))];
        if (binding === "JSONRPC" && want !== saw)
          return broken(
            "the response has another JSON-RPC id than the request",
            { saw, want },
            { part: "response", place: { path: "$.id" } },
          );
        return judgedJson("the response", answerText(agent), answerText(client));
      });
    },
  },
  {
    id: "GW-BODY-SIZE",
    area: "bodies",
    title: "The gateway passes bodies of 10 MB on",
    breaks: "Messages with files fail behind the gateway.",
    remedy: "Raise the limit for request bodies of this route to 10 MB or more.",
    heavy: true,
    async examine(ends, binding) {
      const text = "x".repeat(bigBytes);
      const spec = requestOf(ends.through, binding, "SendMessage", messageOf(text));
      const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
      let arrived: string | undefined;
      let trouble: unknown;
      const passage = await ends.send(spec, async (request, reply) => {
        const bytes = await request.body().catch((error: unknown) => {
          trouble = error;
          throw error;
        });
        arrived = digest(bytes);
        reply.send(200, { "Content-Type": typeOf(binding) }, resultText(binding, idOf(bytes), answer));
      });
      // A limit of our own agent is not the gateway's fault.
      if (trouble instanceof WireError && trouble.code !== "disconnected")
        return { judgement: notExamined(`the agent of Assay failed: ${trouble.message}`), passages: [passage] };
      return { judgement: sizeJudgement(passage.client, arrived, digest(spec.body!)), passages: [passage] };
    },
  },
];

function sizeJudgement({ http, failure }: Exchange, arrived: string | undefined, sent: string): PropertyVerdict {
  if (arrived === sent) return preserved;
  // A gateway that writes JSON again changes the bytes, which GW-BODY-REQUEST judges.
  if (arrived !== undefined) return changed("the gateway changes the bytes of a body of 10 MB", { part: "request" });
  if (!http.response) return notExamined(`the gateway gave no response: ${failure?.message ?? "unknown reason"}`);
  return broken("the gateway rejects a body of 10 MB", {
    saw: `HTTP ${http.response.status}`,
    want: "the whole body at the agent",
  });
}
