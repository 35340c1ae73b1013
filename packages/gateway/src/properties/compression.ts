import { gzipSync } from "node:zlib";
import type { Exchange, HeaderPairs } from "@assay/wire";
import { answeredHeader, answerText, judged, judgedJson } from "../compare.ts";
import type { Ends, Script } from "../ends.ts";
import type { Property } from "../property.ts";
import { idOf, messageOf, requestOf, resultText, type TestedBinding, typeOf } from "../requests.ts";
import { broken, changed, type GatewayCall, notExamined, type PropertyVerdict, preserved, worst } from "../verdict.ts";
import { patienceMs, playing, sameEvents, streamOf } from "./streams.ts";

const gzip: HeaderPairs = [["Accept-Encoding", "gzip"]];
const identity: HeaderPairs = [["Accept-Encoding", "identity"]];

/** Longer than the shortest body that gateways compress. */
const answer = JSON.stringify({
  message: { messageId: "m1", role: "ROLE_AGENT", parts: [{ text: "compressible ".repeat(500) }] },
});

/** Compresses the response if the request accepts it, as many agents do. */
const compressing =
  (binding: TestedBinding): Script =>
  async (request, reply) => {
    const text = resultText(binding, idOf(await request.body()), answer);
    const isAsked = /\bgzip\b/i.test(String(request.headers["accept-encoding"] ?? ""));
    reply.send(
      200,
      { "Content-Type": typeOf(binding), Vary: "Accept-Encoding", ...(isAsked && { "Content-Encoding": "gzip" }) },
      isAsked ? gzipSync(text) : text,
    );
  };

const sent = (ends: Ends, binding: TestedBinding, headers: HeaderPairs): Promise<GatewayCall> =>
  ends.send(
    requestOf(ends.through, binding, "SendMessage", messageOf("message-only gateway"), headers),
    compressing(binding),
  );

const codingOf = (exchange: Exchange): string | undefined =>
  answeredHeader(exchange, "content-encoding")?.replace(/^identity$/i, "") || undefined;

/** Compares the decoded response with the text that the agent compressed. */
function readable(client: Exchange, binding: TestedBinding): PropertyVerdict {
  const { response } = client.http;
  const coding = codingOf(client);
  const want = "a body that its Content-Encoding decodes to the agent's JSON";
  if (client.failure?.code === "malformed" && coding !== undefined)
    return broken("the gateway names a compression that the body does not have", {
      saw: `Content-Encoding: ${coding}, but ${client.failure.message}`,
      want,
    });
  if (response?.undecoded !== undefined)
    return broken("the gateway uses a compression that the client does not accept", {
      saw: `Content-Encoding: ${response.undecoded}`,
      want,
    });
  const isGzip = response?.body[0] === 0x1f && response.body[1] === 0x8b;
  if (isGzip && coding !== undefined)
    return broken("the gateway compresses a response twice", {
      saw: `Content-Encoding: ${coding}, and a gzip body in the ${coding} body`,
      want,
    });
  if (isGzip)
    return broken("the gateway removes Content-Encoding from a compressed response", {
      saw: "a gzip body without Content-Encoding",
      want,
    });
  return judgedJson("the response", resultText(binding, idOf(client.http.request.body), answer), answerText(client));
}

export const compressionProperties: readonly Property[] = [
  {
    id: "GW-COMPRESSION-ASKED",
    area: "compression",
    title: "A client that accepts gzip can read the response",
    breaks: "Clients get bytes that they cannot read as JSON.",
    remedy: "Pass Content-Encoding and the compressed body on together, or decode both.",
    async examine(ends, binding) {
      const passage = await sent(ends, binding, gzip);
      return judged(passage, (_, client) => readable(client, binding));
    },
  },
  {
    id: "GW-COMPRESSION-NOT-ASKED",
    area: "compression",
    title: "A client that accepts no compression gets none",
    breaks: "Clients without decompression cannot read the response.",
    remedy:
      "Compress responses only if the client's Accept-Encoding allows it, and do not ask the agent for it otherwise.",
    async examine(ends, binding) {
      const [refusing, silent] = [await sent(ends, binding, identity), await sent(ends, binding, [])];
      const passages = [refusing, silent];
      const refused = judged(refusing, (_, client) => {
        const coding = codingOf(client);
        if (coding === undefined) return readable(client, binding);
        return broken("the gateway compresses a response for a client that accepts no compression", {
          saw: `Content-Encoding: ${coding}`,
          want: "no Content-Encoding for Accept-Encoding: identity",
        });
      });
      // HTTP allows any coding for a request without Accept-Encoding (RFC 9110 §12.5.3).
      const unasked = judged(silent, (_, client) =>
        codingOf(client) === undefined
          ? preserved
          : changed("the gateway compresses responses to requests without Accept-Encoding"),
      );
      return { judgement: worst([refused.judgement, unasked.judgement]), passages };
    },
  },
  {
    id: "GW-COMPRESSION-STREAM",
    area: "compression",
    needsStream: true,
    title: "Compression does not hold events back",
    breaks: "Clients that accept gzip see nothing until the stream ends.",
    rule: "STREAM-001",
    remedy: "Do not compress text/event-stream, or flush the compression after each event.",
    async examine(ends, binding) {
      // A stream that ends at once shows whether there is compression, without the wait for events that are held back.
      const whole = await ends.stream(
        streamOf(ends, binding, gzip),
        playing(binding, (write) => write(0, "compressible ".repeat(500))),
      );
      // GW-STREAM-TIMING judges a stream that arrives without compression.
      if (codingOf(whole.client) === undefined)
        return judged(whole, (_, { http }) =>
          http.sse?.events.length ? preserved : notExamined("the gateway did not pass the stream on"),
        );
      let arrived = 0;
      let isTimely = true;
      const count = 2;
      const passage = await ends.stream(
        streamOf(ends, binding, gzip),
        playing(binding, async (write, _, { signal }) => {
          for (let n = 0; n < count; n++) {
            write(n);
            isTimely &&= await ends.waitFor(() => arrived > n || signal.aborted, patienceMs);
          }
        }),
        { onEvent: () => arrived++ },
      );
      return judged(passage, (agent, client) => {
        const coding = codingOf(client);
        if (coding === undefined) return preserved;
        const same = sameEvents(agent, client, count);
        if (isTimely || same.is === "broken") return same;
        return broken("the gateway holds the events of a compressed stream back", {
          saw: `Content-Encoding: ${coding}, and an event over ${patienceMs / 1_000} s after the agent sent it`,
          want: "each event as soon as the agent sends it",
        });
      });
    },
  },
];
