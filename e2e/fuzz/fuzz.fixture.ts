import { appendFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isObject, type JsonValue } from "@assay/protocol";
import { afterAll, beforeAll, expect } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { type Bed, expectNormalService } from "../fixtures/testbed.fixture.ts";
import { SeededRandom } from "./mutations.fixture.ts";

// Sends malformed requests to the test bed: hundreds over each binding, tens of thousands with
// `npm run prove -- fuzz --short`, a million in total with `npm run prove -- fuzz`. The printed seed selects the requests.
// Repeat them with: ASSAY_FUZZ_SEED=<seed> npm run prove -- fuzz --short
export const seed = Number(process.env["ASSAY_FUZZ_SEED"] ?? 1);
export const concurrency = 32;

/** Malformed requests for each binding with `npm run prove -- fuzz --short`. Other totals keep the proportions. */
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
/** the total of `npm run prove -- fuzz --requests` */
const asked = Number(process.env["ASSAY_FUZZ_REQUESTS"] ?? 0);
/** `npm test` sends 2 % of the requests. */
const share = asked > 0 ? asked / inAll : provesAll ? 1 : 1 / 50;

export const requestsOn = (wire: FuzzedWire): number => Math.ceil(perWire[wire] * share);

/** The time limit of a test in milliseconds. Only a server that never answers reaches it, even on a busy machine. */
export const patience = 1_800_000 * Math.max(1, share);

/** Reports the number of rejected requests of one binding to `npm run prove -- fuzz`. */
export function tally(wire: FuzzedWire, sent: number, refused: number): void {
  console.log(`fuzz: ${wire} refused ${refused} of ${sent} requests`);
  const file = process.env["ASSAY_FUZZ_TALLY"];
  if (file) appendFileSync(file, `${JSON.stringify({ wire, sent, refused })}\n`);
}

/** Returns a generator for one request, so that you can repeat that request alone. */
export const randomFor = (index: number, salt: number): SeededRandom =>
  new SeededRandom(seed ^ Math.imul(index + 1, 0x9e3779b1) ^ salt);

export interface FuzzPlan<FuzzRequest, FuzzResponse> {
  readonly wire: FuzzedWire;
  readonly bed: Bed;
  /** the number of rejected requests to reach; a mutated request is sometimes still valid */
  readonly malformed: number;
  readonly salt: number;
  /** Returns a function that makes requests. It is renewed regularly, because each message makes the tasks larger. */
  prepare(): Promise<(random: SeededRandom) => FuzzRequest>;
  send(attempt: FuzzRequest): Promise<FuzzResponse>;
  isRefused(response: FuzzResponse): boolean;
  /** Returns the problem of a response, if any. */
  problemOf(attempt: FuzzRequest, response: FuzzResponse): string | undefined;
  show(attempt: FuzzRequest, response: FuzzResponse | undefined): string;
}

const progressEvery = 20_000;
const prepareEvery = 5_000;

/**
 * Sends requests until the server rejected enough of them. Expects well-formed responses, stable memory and a server that
 * still works afterwards.
 */
export async function expectSurvival<FuzzRequest, FuzzResponse>(
  plan: FuzzPlan<FuzzRequest, FuzzResponse>,
): Promise<{ requests: number }> {
  const { wire, bed, malformed, salt } = plan;
  const problems: string[] = [];
  const settledAt = Math.ceil(malformed / 4);
  let settled = 0;
  let next = 0;
  let refused = 0;
  let served = 0;
  let make = await plan.prepare();
  const worker = async () => {
    while (refused < malformed && problems.length < 5) {
      const index = next++;
      if (index === settledAt) settled = heapMiB();
      if (index > 0 && index % prepareEvery === 0) make = await plan.prepare();
      const attempt = make(randomFor(index, salt));
      const tell = (what: string, response?: FuzzResponse) =>
        problems.push(`#${index}: ${what}\n  ${plan.show(attempt, response)}`);
      try {
        const response = await plan.send(attempt);
        if (!plan.isRefused(response)) served++;
        else if (++refused % progressEvery === 0) console.log(`fuzz: ${wire} ${refused} of ${malformed}`);
        const problem = plan.problemOf(attempt, response);
        if (problem) tell(problem, response);
      } catch (error) {
        tell(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  tally(wire, next, refused);
  expect(problems, `ASSAY_FUZZ_SEED=${seed}`).toEqual([]);
  expect(bed.faults).toEqual([]);
  // Some requests must pass the parser, or the test would only cover the parser.
  expect(served).toBeGreaterThan(malformed / 50);
  expect(heapMiB() - settled).toBeLessThan(48);
  await expectNormalService(bed);
  return { requests: next };
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

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | undefined;
}

export interface FuzzResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const showHttp = (attempt: FuzzRequest, response: FuzzResponse | undefined): string => {
  const request = JSON.stringify({ ...attempt, body: attempt.body?.toString("latin1").slice(0, 2_000) });
  return `${request}\n  ${response?.status} ${response?.text.slice(0, 1_000)}`;
};

/** Returns a sender with kept connections. It reads only the first event of a stream, because a stream may stay open. */
export function useHttpSender(bed: Bed): (attempt: FuzzRequest) => Promise<FuzzResponse> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  beforeAll(() => console.log(`fuzz: ASSAY_FUZZ_SEED=${seed}`));
  afterAll(() => agent.destroy());
  const send = ({ method, path, headers, body }: FuzzRequest): Promise<FuzzResponse> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: "127.0.0.1", port: bed.port, method, path, headers, agent, timeout: 250_000 });
      // The server may close an idle connection just when a busy machine uses it again.
      sent.on("error", (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && error.code === "ECONNRESET";
        return isStale ? resolve(send({ method, path, headers, body })) : reject(error);
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
  return send;
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

/** Returns true if the HTTP parser rejected the request: not HTTP, or too large. */
const isBelowProtocol = ({ status, headers }: FuzzResponse): boolean =>
  (status === 400 || status === 431) && headers.connection === "close";

/** Finds problems that no response may have. HTTP+JSON of 0.3 returns 501 for unsupported operations. */
function commonProblem({ status, headers, text }: FuzzResponse): string | undefined {
  if (status < 200 || (status >= 500 && status !== 501)) return `status ${status}`;
  if (/html/.test(headers["content-type"] ?? "")) return "HTML";
  if (/\n\s+at |node:internal|\.ts:\d|AssertionError|TypeError|RangeError/.test(text))
    return "internal details in the response";
  return undefined;
}

/** Checks an error of HTTP+JSON 1.0, or of 0.3 if the path leads there. */
function restErrorProblem(response: FuzzResponse): string | undefined {
  const json = parsed(response.text);
  if (!isObject(json)) return "no error object";
  const type = response.headers["content-type"];
  if (json["error"] === undefined) {
    if (type !== "application/json") return "an odd content type";
    const { code, message, data } = json;
    if (!Number.isInteger(code) || typeof message !== "string" || !isObject(data)) return "an odd error of 0.3";
    return code === -32603 ? "an internal error" : isReason(data["reason"]) ? undefined : "no reason";
  }
  if (!isObject(json["error"]) || Object.keys(json).length !== 1) return "no error object";
  if (response.status === 501) return "status 501";
  const { code, status, message, details } = json["error"];
  if (code !== response.status) return "its code is not the status";
  if (typeof status !== "string" || typeof message !== "string" || message === "") return "no status or no message";
  if (isBelowProtocol(response)) return type === "application/json" ? undefined : "an odd content type";
  if (type !== "application/a2a+json") return "an odd content type";
  return Array.isArray(details) && isErrorInfo(details[0]) ? undefined : "no ErrorInfo";
}

/** Checks a JSON-RPC response. `resultProblem` checks the result of the requested method. */
export function rpcProblem(
  { body }: FuzzRequest,
  response: FuzzResponse,
  resultProblem: (method: string, result: JsonValue) => string | undefined,
): string | undefined {
  const common = commonProblem(response) ?? (response.status === 501 ? "status 501" : undefined);
  if (common) return common;
  if (isBelowProtocol(response)) return restErrorProblem(response);
  const streams = response.headers["content-type"] === "text/event-stream";
  if (!streams && response.headers["content-type"] !== "application/json") return "an odd content type";
  const json = parsed(streams ? response.text.slice(6, response.text.indexOf("\n\n")) : response.text);
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
  if (response.status !== 200) return `a result with status ${response.status}`;
  const asked = parsed(String(body));
  const call = isObject(asked) ? asked : {};
  if (JSON.stringify(json["id"]) !== JSON.stringify(call["id"] ?? null)) return "another id";
  return resultProblem(String(call["method"]), result as JsonValue);
}

export function restProblem({ method }: FuzzRequest, response: FuzzResponse): string | undefined {
  const common = commonProblem(response);
  if (common) return common;
  if (method === "HEAD") return response.text === "" ? undefined : "a body for HEAD";
  if (response.status >= 400) {
    // A mutated path may be the JSON-RPC endpoint of an agent.
    if (isObject(parsed(response.text)) && response.text.startsWith('{"jsonrpc"')) return undefined;
    return restErrorProblem(response);
  }
  if (response.status === 204 || response.status === 304)
    return response.text === "" ? undefined : "a body where none may be";
  if (response.status !== 200) return `status ${response.status}`;
  if (response.headers["content-type"] === "text/event-stream")
    return response.text.startsWith("data: {") ? undefined : "no event";
  if (response.headers["content-type"]?.startsWith("text/plain")) return undefined;
  const json = parsed(response.text);
  // Lists of mutants and variants are arrays.
  return isObject(json) || Array.isArray(json) ? undefined : "no JSON";
}

export const isRefusedHttp = (response: FuzzResponse): boolean =>
  response.status >= 400 || response.text.includes('"error":{"code"');
