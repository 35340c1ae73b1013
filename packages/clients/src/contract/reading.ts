import { isObject, type JsonObject, type JsonValue, parseJson } from "@assay/protocol";
import type { ClientCall, ClientRequest } from "@assay/suite";
import type { ToolRun } from "./scene.ts";

/** The operations that carry a message. */
export const sends = ["SendMessage", "SendStreamingMessage"] as const;

/** Returns the only JSON object in a text, or undefined if it has more, less or something else. */
export function oneDocument(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}

/** Returns the objects of JSON Lines, or undefined if a line is something else. */
export function jsonLines(text: string): readonly JsonObject[] | undefined {
  const objects = text.split("\n").filter(Boolean).map(oneDocument);
  return objects.length && objects.every((each) => each !== undefined) ? (objects as JsonObject[]) : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text.trim());
  } catch {
    return undefined;
  }
}

/** Returns true if a text names a task state, as on the wire or in its short form. */
export const namesState = (text: string, state: string): boolean =>
  new RegExp(`(?<![a-z])(task_state_)?${state.replaceAll("_", "[-_ ]")}(?![a-z])`, "i").test(text);

/** Returns the error object of a run, from the last line of stdout that has one. */
export function errorIn({ output }: Pick<ToolRun, "output">): JsonObject | undefined {
  const whole = oneDocument(output) ?? jsonLines(output)?.at(-1);
  const error = whole?.["error"];
  return isObject(error) ? error : undefined;
}

export const textIn = (object: JsonObject | undefined, name: string): string => {
  const value = object?.[name];
  return typeof value === "string" ? value : "";
};

/** Returns a member that is an object, at the end of a path. */
export const objectIn = (object: JsonObject | undefined, ...path: readonly string[]): JsonObject | undefined =>
  path.reduce<JsonObject | undefined>((now, name) => {
    const value = now?.[name];
    return isObject(value) ? value : undefined;
  }, object);

/** Returns the message that a call carries. */
export const messageOf = ({ params, written }: ClientCall): JsonObject | undefined =>
  objectIn(params ?? written, "message");

export const partsOf = (call: ClientCall | undefined): readonly JsonObject[] => {
  const parts = call && messageOf(call)?.["parts"];
  return Array.isArray(parts) ? parts.filter((part): part is JsonObject => isObject(part)) : [];
};

/** Returns the values of a header of a request. */
export const headerOf = ({ exchange }: ClientRequest, name: string): readonly string[] =>
  exchange.http.request.headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

/** Returns the line of a help text that explains an option. */
export const helpLine = (help: string, option: string): string | undefined =>
  help.split("\n").find((line) => new RegExp(`^\\s*(-\\w,\\s*)?${option}(?![\\w-])`).test(line));

/** Returns the first option in a help text whose name matches. */
export const optionIn = (help: string, name: RegExp): string | undefined =>
  [...help.matchAll(/--[a-z][a-z0-9-]*/g)].map(([option]) => option).find((option) => name.test(option.slice(2)));

/** Finds the ids of a task in the agent's response, in any form. */
export function idsIn({ exchange: { http } }: ClientRequest): { taskId: string; contextId: string } | undefined {
  const body = http.response?.body ? Buffer.from(http.response.body).toString("utf8") : "";
  const text = [body, ...(http.sse?.events ?? []).map(({ data }) => data)].join("\n");
  const contextId = /"contextId"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  const taskId = /"task"\s*:\s*\{\s*"id"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? /"taskId"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  return taskId === undefined || contextId === undefined ? undefined : { taskId, contextId };
}
