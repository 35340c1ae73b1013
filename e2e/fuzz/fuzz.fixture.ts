import { appendFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isObject, type JsonValue } from "@assay/protocol";
import { afterAll, beforeAll, expect } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { type Bed, expectNormalService } from "../fixtures/testbed.fixture.ts";
import { Dice } from "./mutations.fixture.ts";

// Requests that are almost right: hundreds on each wire, tens of thousands with `npm run prove -- fuzz --short`, a million in all
// with `npm run prove -- fuzz`. Which ones is decided by a seed, printed below and settable:
//   ASSAY_FUZZ_SEED=<seed> npm run prove -- fuzz --short
export const seed = Number(process.env["ASSAY_FUZZ_SEED"] ?? 1);
export const concurrency = 32;

/** How many malformed requests each wire gets with `npm run prove -- fuzz --short`; what else is asked for keeps their proportion. */
const perWire = {
  JSONRPC: 20_000,
  "HTTP+JSON": 20_000,
  "bytes of HTTP/1.1": 4_000,
  "gRPC 1.0": 20_000,
  "gRPC 0.3": 20_000,
  "bytes of HTTP/2": 1_500,
  "JSON-RPC 0.3": 20_000,
  "JSON-RPC 0.2": 20_000,
  "JSON-RPC 0.1": 20_000,
  "HTTP+JSON 0.3 on /spec03": 20_000,
  "HTTP+JSON 0.3 on /spec": 10_000,
};
type FuzzedWire = keyof typeof perWire;

const inAll = Object.values(perWire).reduce((sum, count) => sum + count, 0);
/** what `npm run prove -- fuzz` was asked for */
const asked = Number(process.env["ASSAY_FUZZ_REQUESTS"] ?? 0);
/** One in fifty, unless more is asked for. */
const share = asked > 0 ? asked / inAll : provesAll ? 1 : 1 / 50;

export const requestsOn = (wire: FuzzedWire): number => Math.ceil(perWire[wire] * share);

/** The time limit of a test in milliseconds. Only a server that never answers reaches it, even on a busy machine. */
export const patience = 1_800_000 * Math.max(1, share);

/** Tells `npm run prove -- fuzz` what became of the requests on one wire. */
export function tally(wire: FuzzedWire, sent: number, refused: number): void {
  console.log(`fuzz: ${wire} refused ${refused} of ${sent} requests`);
  const file = process.env["ASSAY_FUZZ_TALLY"];
  if (file) appendFileSync(file, `${JSON.stringify({ wire, sent, refused })}\n`);
}

/** A generator for request number `index` alone, so that any one of them can be made again. */
export const diceFor = (index: number, salt: number): Dice => new Dice(seed ^ Math.imul(index + 1, 0x9e3779b1) ^ salt);

export interface Barrage<Shot, Hit> {
  readonly wire: FuzzedWire;
  readonly bed: Bed;
  /** counted by what the server refused: a bent request now and then happens to be a good one */
  readonly malformed: number;
  readonly salt: number;
  /** What makes requests; asked for anew now and then, because tasks that are talked to without end grow without end. */
  aim(): Promise<(dice: Dice) => Shot>;
  fire(shot: Shot): Promise<Hit>;
  isRefused(hit: Hit): boolean;
  /** What is wrong with an answer; nothing, most of the time. */
  problemOf(shot: Shot, hit: Hit): string | undefined;
  show(shot: Shot, hit: Hit | undefined): string;
}

const progressEvery = 20_000;
const aimEvery = 5_000;

/** Fires until enough was refused; the answers are all proper ones, memory stays, and the server serves on. */
export async function expectSurvival<Shot, Hit>(barrage: Barrage<Shot, Hit>): Promise<{ hits: number }> {
  const { wire, bed, malformed, salt } = barrage;
  const problems: string[] = [];
  const settledAt = Math.ceil(malformed / 4);
  let settled = 0;
  let next = 0;
  let refused = 0;
  let served = 0;
  let make = await barrage.aim();
  const shooter = async () => {
    while (refused < malformed && problems.length < 5) {
      const index = next++;
      if (index === settledAt) settled = heapMiB();
      if (index > 0 && index % aimEvery === 0) make = await barrage.aim();
      const shot = make(diceFor(index, salt));
      const tell = (what: string, hit?: Hit) => problems.push(`#${index}: ${what}\n  ${barrage.show(shot, hit)}`);
      try {
        const hit = await barrage.fire(shot);
        if (!barrage.isRefused(hit)) served++;
        else if (++refused % progressEvery === 0) console.log(`fuzz: ${wire} ${refused} of ${malformed}`);
        const problem = barrage.problemOf(shot, hit);
        if (problem) tell(problem, hit);
      } catch (error) {
        tell(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, shooter));
  tally(wire, next, refused);
  expect(problems, `ASSAY_FUZZ_SEED=${seed}`).toEqual([]);
  expect(bed.faults).toEqual([]);
  // Enough of them got past the door for this to mean something.
  expect(served).toBeGreaterThan(malformed / 50);
  expect(heapMiB() - settled).toBeLessThan(48);
  await expectNormalService(bed);
  return { hits: next };
}

const collectGarbage: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

const heapMiB = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

// HTTP/1.1

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | undefined;
}

export interface Hit {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const showHttp = (shot: Shot, hit: Hit | undefined): string => {
  const request = JSON.stringify({ ...shot, body: shot.body?.toString("latin1").slice(0, 2_000) });
  return `${request}\n  ${hit?.status} ${hit?.text.slice(0, 1_000)}`;
};

/** Sends to the test bed over connections that are kept; a stream may rightly stay open: its first event is enough. */
export function useShooting(bed: Bed): (shot: Shot) => Promise<Hit> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  beforeAll(() => console.log(`fuzz: ASSAY_FUZZ_SEED=${seed}`));
  afterAll(() => agent.destroy());
  const shoot = ({ method, path, headers, body }: Shot): Promise<Hit> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: "127.0.0.1", port: bed.port, method, path, headers, agent, timeout: 250_000 });
      // The server may close an idle connection just when a busy machine uses it again.
      sent.on("error", (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && error.code === "ECONNRESET";
        return isStale ? resolve(shoot({ method, path, headers, body })) : reject(error);
      });
      sent.on("timeout", () => sent.destroy(new Error("no answer within 250 s")));
      sent.on("response", (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (answered["content-type"] === "text/event-stream" && text.includes("\n\n")) response.destroy();
        });
        response.on("close", () => resolve({ status, headers: answered, text }));
        response.on("error", () => {});
      });
      sent.end(body);
    });
  return shoot;
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

export const isReason = (value: unknown): boolean => typeof value === "string" && /^[A-Z_]+$/.test(value);

const isErrorInfo = (value: unknown): boolean =>
  isObject(value) && value["@type"] === "type.googleapis.com/google.rpc.ErrorInfo" && isReason(value["reason"]);

/** Refused before anybody could know the protocol: not HTTP, or too much of it. */
const isBelowProtocol = ({ status, headers }: Hit): boolean =>
  (status === 400 || status === 431) && headers.connection === "close";

/** What no answer may be, on any wire. 501 is how HTTP+JSON of 0.3 says that something is not supported. */
function commonProblem({ status, headers, text }: Hit): string | undefined {
  if (status < 200 || (status >= 500 && status !== 501)) return `status ${status}`;
  if (/html/.test(headers["content-type"] ?? "")) return "HTML";
  if (/\n\s+at |node:internal|\.ts:\d|AssertionError|TypeError|RangeError/.test(text)) return "our inside shows";
  return undefined;
}

/** An error of HTTP+JSON; of 1.0, or, where the path leads there, of 0.3. */
function restErrorProblem(hit: Hit): string | undefined {
  const json = parsed(hit.text);
  if (!isObject(json)) return "no error object";
  const type = hit.headers["content-type"];
  if (json["error"] === undefined) {
    if (type !== "application/json") return "an odd content type";
    const { code, message, data } = json;
    if (!Number.isInteger(code) || typeof message !== "string" || !isObject(data)) return "an odd error of 0.3";
    return code === -32603 ? "an internal error" : isReason(data["reason"]) ? undefined : "no reason";
  }
  if (!isObject(json["error"]) || Object.keys(json).length !== 1) return "no error object";
  if (hit.status === 501) return "status 501";
  const { code, status, message, details } = json["error"];
  if (code !== hit.status) return "its code is not the status";
  if (typeof status !== "string" || typeof message !== "string" || message === "") return "no status or no message";
  if (isBelowProtocol(hit)) return type === "application/json" ? undefined : "an odd content type";
  if (type !== "application/a2a+json") return "an odd content type";
  return Array.isArray(details) && isErrorInfo(details[0]) ? undefined : "no ErrorInfo";
}

/** A JSON-RPC answer; `resultProblem` judges the result of the method that was asked for. */
export function rpcProblem(
  { body }: Shot,
  hit: Hit,
  resultProblem: (method: string, result: JsonValue) => string | undefined,
): string | undefined {
  const common = commonProblem(hit) ?? (hit.status === 501 ? "status 501" : undefined);
  if (common) return common;
  if (isBelowProtocol(hit)) return restErrorProblem(hit);
  const streams = hit.headers["content-type"] === "text/event-stream";
  if (!streams && hit.headers["content-type"] !== "application/json") return "an odd content type";
  const json = parsed(streams ? hit.text.slice(6, hit.text.indexOf("\n\n")) : hit.text);
  if (!isObject(json) || json["jsonrpc"] !== "2.0" || !Object.hasOwn(json, "id")) return "no JSON-RPC response";
  const { result, error } = json;
  if ((result === undefined) === (error === undefined)) return "not exactly one of result and error";
  if (error !== undefined) {
    if (!isObject(error) || !Number.isInteger(error["code"]) || typeof error["message"] !== "string")
      return "odd error";
    const { code, data } = error;
    const told = Array.isArray(data) ? isErrorInfo(data[0]) : isObject(data) && isReason(data["reason"]);
    return code === -32603 ? "an internal error" : told ? undefined : "no reason";
  }
  if (hit.status !== 200) return `a result with status ${hit.status}`;
  const asked = parsed(String(body));
  const call = isObject(asked) ? asked : {};
  if (JSON.stringify(json["id"]) !== JSON.stringify(call["id"] ?? null)) return "another id";
  return resultProblem(String(call["method"]), result as JsonValue);
}

export function restProblem({ method }: Shot, hit: Hit): string | undefined {
  const common = commonProblem(hit);
  if (common) return common;
  if (method === "HEAD") return hit.text === "" ? undefined : "a body for HEAD";
  if (hit.status >= 400) {
    // A path that bent into an agent's own is JSON-RPC, and answers as such.
    if (isObject(parsed(hit.text)) && hit.text.startsWith('{"jsonrpc"')) return undefined;
    return restErrorProblem(hit);
  }
  if (hit.status === 204 || hit.status === 304) return hit.text === "" ? undefined : "a body where none may be";
  if (hit.status !== 200) return `status ${hit.status}`;
  if (hit.headers["content-type"] === "text/event-stream")
    return hit.text.startsWith("data: {") ? undefined : "no event";
  if (hit.headers["content-type"]?.startsWith("text/plain")) return undefined;
  const json = parsed(hit.text);
  // Lists of mutants and variants are arrays.
  return isObject(json) || Array.isArray(json) ? undefined : "no JSON";
}

export const isRefusedHttp = (hit: Hit): boolean => hit.status >= 400 || hit.text.includes('"error":{"code"');
