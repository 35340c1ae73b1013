import type { Message as MessageShape } from "../../generated/model-0.3-proto.ts";
import type { Message } from "../../model.ts";
import { readPart, writePart } from "./part.ts";

/** A message of `a2a.v1`: its parts are called `content`. Lost on output: `referenceTaskIds`. */
export const readMessage = ({ content, ...message }: MessageShape): Message => ({
  ...message,
  parts: content.map(readPart),
});

export const writeMessage = ({ parts, referenceTaskIds: _, ...message }: Message): MessageShape => ({
  ...message,
  content: parts.map(writePart),
});
