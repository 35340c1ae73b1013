import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { readingReasonOf } from "@assay/library/runs";
import type { JsonObject, JsonValue, Message, Part, SendMessageRequest } from "@assay/protocol";
import type { SendFlags } from "../commands/send.ts";
import { UsageError } from "../exit.ts";

/** Builds the message: the text, then files and data in their order; or the complete --json-message. */
export function requestOf(text: string | undefined, flags: SendFlags): SendMessageRequest {
  const { returnImmediately, historyLength } = flags;
  const configuration = {
    ...(returnImmediately && { returnImmediately }),
    ...(historyLength !== undefined && { historyLength }),
  };
  return {
    message: flags.jsonMessage === undefined ? messageOf(text, flags) : wholeMessage(flags.jsonMessage, text, flags),
    ...(Object.keys(configuration).length > 0 && { configuration }),
  };
}

function messageOf(text: string | undefined, { file = [], data = [], task, context }: SendFlags): Message {
  const parts: Part[] = [
    ...(text === undefined ? [] : [{ text }]),
    ...file.map(filePart),
    ...data.map((given) => ({ data: jsonOf("--data", given) })),
  ];
  if (!parts.length)
    throw new UsageError("Nothing to send.", "Pass a text, --file <path>, --data <json> or --json-message <json>.");
  return {
    messageId: randomUUID(),
    role: "ROLE_USER",
    parts,
    ...(task && { taskId: task }),
    ...(context && { contextId: context }),
  };
}

/**
 * Returns the message of --json-message, with an id and a role if it has none. Its content is not checked, because that
 * is the agent's task.
 */
function wholeMessage(given: string, text: string | undefined, { file, data, task, context }: SendFlags): Message {
  if (text !== undefined || file || data)
    throw new UsageError(
      "--json-message is the complete message, so it cannot be combined with a text, --file or --data",
    );
  const message = jsonOf("--json-message", given);
  if (typeof message !== "object" || message === null || Array.isArray(message))
    throw new UsageError("--json-message must be an object with parts");
  return {
    messageId: randomUUID(),
    role: "ROLE_USER",
    ...(task && { taskId: task }),
    ...(context && { contextId: context }),
    ...(message as JsonObject),
  } as Message;
}

/** Reads JSON from the argument, or from `@file`. */
function jsonOf(flag: string, given: string): JsonValue {
  const text = given.startsWith("@") ? bytesOf(flag, given.slice(1)).toString("utf8") : given;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new UsageError(
      `${flag}: invalid JSON (${(error as Error).message})`,
      `Write ${flag} '{"city":"Oslo"}' or ${flag} @file.json`,
    );
  }
}

/** The types of files that people send by hand. Any other file is sent as bytes. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".html": "text/html",
  ".json": "application/json",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
};

function filePart(path: string): Part {
  const filename = basename(path);
  const mediaType = mediaTypes[extname(filename).toLowerCase()] ?? "application/octet-stream";
  return { raw: bytesOf("--file", path).toString("base64"), filename, mediaType };
}

function bytesOf(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${flag}: cannot read ${path}: ${readingReasonOf(error as NodeJS.ErrnoException)}`);
  }
}
