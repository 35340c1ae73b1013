import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import type { HeaderPairs } from "@assay/wire";
import { fail, pairsOf } from "@assay/wire/passing";
import { BrokenOff, bytesOf, ofChunks, type PassedAnswer } from "../faults/answer.ts";
import type { CallFaults } from "../faults/faults.ts";
import type { Passing } from "./client-connection.ts";
import { rewrittenCard } from "./rewritten-card.ts";
import type { Upstream } from "./upstream.ts";
import type { ExchangeWitness } from "./witness.ts";

/** Reads the whole request, which shows the operation. */
export function hold(
  incoming: IncomingMessage,
  response: ServerResponse,
  pass: (body: Buffer) => void,
  onCutOff: () => void,
): void {
  if (incoming.headers.expect !== undefined) response.writeContinue();
  bytesOf(incoming).then(pass, onCutOff);
}

/** The proxy has already invited the body. */
export const isKeptOfHeld = ([name]: HeaderPairs[number]): boolean => name.toLowerCase() !== "expect";

export const isEncoding = (name: string): boolean => name.toLowerCase() === "accept-encoding";

/** Returns true if a fault answers instead of the agent, or ends the connection. */
export function isAnsweredByFault(faults: CallFaults, response: ServerResponse, witness: ExchangeWitness): boolean {
  response.once("close", () => faults.close());
  try {
    const own = faults.instead();
    if (!own) return false;
    response.once("close", () => {
      if (!response.writableFinished) witness.failed(fail("aborted", "the client closed the connection"));
    });
    witness.head(own.status, own.statusText, own.headers);
    void deliver({ ...own, body: witness.seen(own.body) }, faults, response, witness);
  } catch (error) {
    endBy(error, response, witness);
  }
  return true;
}

/** Sends a request once more, on a separate connection, and ignores the response. */
export function repeat(options: RequestOptions, body: Buffer, origin: URL, beside: Upstream): void {
  request({ ...options, agent: beside.http1(origin) })
    .on("error", () => beside.close())
    .on("response", (message) =>
      message
        .on("error", () => {})
        .on("close", () => beside.close())
        .resume(),
    )
    .end(body);
}

/** Returns the response of the agent for the faults to change; a card already has our addresses. */
export async function answerOf(
  message: IncomingMessage,
  headers: HeaderPairs,
  witness: ExchangeWitness,
  cardFor?: Passing,
): Promise<PassedAnswer> {
  const answer = {
    status: message.statusCode!,
    statusText: message.statusMessage ?? "",
    headers,
    body: witness.seen(message),
    trailers: () => pairsOf(message.rawTrailers),
  };
  if (!cardFor) return answer;
  const card = rewrittenCard(await bytesOf(answer.body), headers, cardFor, witness.url);
  return { ...answer, headers: card.headers, body: ofChunks([card.text]) };
}

/** Sends a response through the faults to the client. */
export async function deliver(
  answer: PassedAnswer,
  faults: CallFaults,
  response: ServerResponse,
  witness: ExchangeWitness,
): Promise<void> {
  try {
    const { status, statusText, headers, body, trailers } = await faults.answer(answer);
    response.sendDate = false;
    response.writeHead(status, statusText, headers.flat());
    response.flushHeaders();
    for await (const chunk of body) await written(response, chunk);
    if (trailers().length) response.addTrailers(trailers().map(([name, value]): [string, string] => [name, value]));
    response.end();
    witness.ended(trailers());
  } catch (error) {
    endBy(error, response, witness);
  }
}

/** Resolves when the chunk is with the operating system, or the client is gone. */
const written = (response: ServerResponse, chunk: Buffer): Promise<void> =>
  new Promise((resolve) => {
    response.write(chunk, () => resolve());
  });

function endBy(error: unknown, response: ServerResponse, witness: ExchangeWitness): void {
  // If the agent or the client has ended the call, their listeners report it first.
  if (!(error instanceof BrokenOff)) return void setImmediate(() => response.destroy());
  witness.failed(fail("aborted", error.message));
  if (error.how === "reset") response.socket?.resetAndDestroy();
  else response.destroy();
}
