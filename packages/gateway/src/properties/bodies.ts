import { createHash } from "node:crypto";
import { type Exchange, isLate } from "@assay/wire";
import { WireError } from "@assay/wire/server";
import {
  answerText,
  isSameType,
  judged,
  judgedJson,
  judgedResponse,
  olderTypeIn,
  requestText,
  sentHeader,
} from "../compare.ts";
import type { Script } from "../ends.ts";
import { laterMember } from "../json-text.ts";
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

/** The values, and next to them a member as a later version of A2A may have. */
const members = `"${laterMember}":{"kept":true},"metadata":{${delicate}}`;

/** Replaces the empty metadata of a request with the delicate values. */
const withDelicate = (body: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(body).toString().replace(`"metadata":{}`, members));

/** A response whose values are delicate, as JSON text. */
const answer = `{"message":{"messageId":"m1","role":"ROLE_AGENT","parts":[{"text":"OK"}],${members}}}`;

/** The same response in 0.3, whose HTTP+JSON follows its .proto. */
const olderAnswers: Readonly<Record<TestedBinding, string>> = {
  JSONRPC: `{"kind":"message","messageId":"m1","role":"agent","parts":[{"kind":"text","text":"OK"}],${members}}`,
  "HTTP+JSON": `{"message":{"messageId":"m1","role":"ROLE_AGENT","content":[{"text":"OK"}],${members}}}`,
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
    title: "The gateway keeps the content type of requests, and every value in them",
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
          worst([
            typeJudgement(arrived, client),
            judgedJson("the request", requestText(client), requestText(arrived), { part: "request" }),
          ]),
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
      return judged(passage, (agent, client) =>
        judgedResponse("the response", answerText(agent), answerText(client), client),
      );
    },
  },
  {
    id: "GW-BODY-SIZE",
    area: "bodies",
    title: "The gateway passes bodies of 10 MB on",
    breaks: "Messages with files fail behind the gateway.",
    remedy: "Raise the limits for request and response bodies of this route to 10 MB or more.",
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
        const message = { messageId: "m1", role: "ROLE_AGENT", parts: [{ text }] };
        const result = JSON.stringify({ message });
        reply.send(200, { "Content-Type": typeOf(binding) }, resultText(binding, idOf(bytes), result));
      });
      // A limit of our own agent is not the gateway's fault.
      if (trouble instanceof WireError && trouble.code !== "disconnected")
        return { judgement: notExamined(`the agent of Assay failed: ${trouble.message}`), passages: [passage] };
      const isWhole = arrived === undefined ? undefined : arrived === digest(spec.body!);
      return { judgement: sizeJudgement(passage.client, isWhole, text), passages: [passage] };
    },
  },
];

/** Compares the type of a request, without its parameters. */
function typeJudgement(arrived: Exchange, client: Exchange): PropertyVerdict {
  const [want, saw] = [client, arrived].map((each) => sentHeader(each, "content-type"));
  if (isSameType(want, saw)) return preserved;
  const lines = { saw: `Content-Type: ${saw ?? "none"}`, want: `Content-Type: ${want ?? "none"}` };
  const at = { part: "request", header: "Content-Type" } as const;
  const older = olderTypeIn(want, saw);
  if (older !== undefined) return changed(older, at, lines);
  return broken("the gateway changes the content type of a request", lines, at);
}

/** Judges a request and a response that contain the text. `isSame` is undefined if the agent got no request. */
function sizeJudgement(client: Exchange, isSame: boolean | undefined, text: string): PropertyVerdict {
  const { http, failure } = client;
  if (!http.response) return notExamined(`the gateway gave no response: ${failure?.message ?? "unknown reason"}`);
  // A slow gateway, or a slow machine.
  if (failure && isLate(failure)) return notExamined(failure.message);
  const { status, body } = http.response;
  if (isSame === undefined)
    return broken("the gateway rejects a body of 10 MB", {
      saw: `HTTP ${status}`,
      want: "the whole body at the agent",
    });
  if (!answerText(client).includes(text))
    return broken("the gateway does not pass a response of 10 MB on", {
      saw: `HTTP ${status} with ${body.length} bytes${failure ? `, then: ${failure.message}` : ""}`,
      want: "the whole body at the client",
    });
  // A gateway that writes JSON again changes the bytes, which GW-BODY-REQUEST judges.
  return isSame ? preserved : changed("the gateway changes the bytes of a body of 10 MB", { part: "request" });
}
