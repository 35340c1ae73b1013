import type { Call } from "../define/call.ts";
import type { Breach } from "../define/finding.ts";
import type { AnswerPlace } from "../report/result.ts";
import { stepOf } from "../shapes/walk.ts";
import { errorOf } from "./reading.ts";
import { asSaid } from "./said.ts";

/** Returns the place in the response that a breach is about; undefined if it is the whole response. */
export function answerPlace(call: Call, { spot, code }: Pick<Breach, "spot" | "code">): AnswerPlace | undefined {
  if (typeof spot === "string") return { path: spot };
  const found = spot && placeOf(call, asSaid(spot.within));
  if (found) return { ...found, ...(found.path !== undefined && { path: found.path + (spot.tail ?? "") }) };
  const { binding } = call.on;
  if (binding === "GRPC" || call.reply.is === "stream") return undefined;
  if (errorOf(call)) return { path: binding === "JSONRPC" ? "$.error.code" : "$.error" };
  return code === "accepted" && call.reply.is === "result" ? { path: rootOf(call) } : undefined;
}

/** JSON-RPC wraps the response in `result`. */
const rootOf = ({ on }: Call): string => (on.binding === "JSONRPC" ? "$.result" : "$");

/** Finds a value by identity, not by equality. gRPC messages are not JSON, so only the event is named there. */
function placeOf(call: Call, value: unknown): AnswerPlace | undefined {
  const { said } = call;
  const isJson = call.on.binding !== "GRPC";
  if (said.is === "result") {
    const path = isJson ? pathTo(value, said.json, rootOf(call)) : undefined;
    return path === undefined ? undefined : { path };
  }
  if (said.is !== "stream") return undefined;
  for (const [event, frame] of said.events.entries()) {
    const path = frame.is === "result" ? pathTo(value, frame.json, rootOf(call)) : undefined;
    if (path !== undefined) return { event, ...(isJson && { path }) };
  }
  return undefined;
}

function pathTo(value: unknown, json: unknown, root: string): string | undefined {
  const open: (readonly [path: string, json: unknown])[] = [[root, json]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, here] = next;
    if (here === value) return path;
    if (typeof here !== "object" || here === null) continue;
    const steps: readonly (readonly [string, unknown])[] = Array.isArray(here)
      ? here.map((entry, index) => [`[${index}]`, entry])
      : Object.entries(here).map(([name, entry]) => [stepOf(name), entry]);
    for (const [step, entry] of steps) open.push([path + step, entry]);
  }
  return undefined;
}
