import { defined } from "../defined.ts";
import type { JsonObject } from "../json.ts";
import type { Part } from "../model.ts";
import type { ReadingPlace } from "./place.ts";
import { readStructured, writeStructured } from "./structured.ts";

/**
 * A part with a tag for its kind: `type` in 0.1, `kind` in 0.2 and 0.3. The content, name and media type of a file are
 * one level deeper than in 1.0.
 *
 * Lost on output: `filename` and `mediaType` of text and data parts, which have no place for them.
 */
export type PartWord = "text" | "file" | "data";

/** The content of a part besides its tag. The schema has checked that it fits the tag. */
export interface TaggedPart {
  readonly text?: string;
  readonly file?: TaggedFile;
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
}

export interface TaggedFile {
  readonly bytes?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly mimeType?: string;
}

export function readTaggedPart(word: PartWord, { text, file, data, metadata }: TaggedPart, place: ReadingPlace): Part {
  if (word === "text") return defined({ text, metadata });
  if (word === "data") return readStructured(defined({ data: data!, metadata }));
  const { name, mimeType } = file!;
  return defined({ ...contentOf(file!, place), filename: name, mediaType: mimeType, metadata });
}

function contentOf({ bytes, uri }: TaggedFile, place: ReadingPlace): Part {
  if (bytes !== undefined && uri !== undefined) place.at("file").note("has bytes and uri; the uri was ignored");
  if (bytes !== undefined) return { raw: bytes };
  if (uri !== undefined) return { url: uri };
  place.at("file").note("has neither bytes nor uri; read as an empty file");
  return { raw: "" };
}

export function writeTaggedPart(tag: "kind" | "type", part: Part): JsonObject {
  const { text, raw, url, data, filename, mediaType, metadata } = part;
  if (text !== undefined) return { [tag]: "text", text, ...(metadata && { metadata }) };
  if (raw === undefined && url === undefined) return { [tag]: "data", ...writeStructured(data ?? null, metadata) };
  const file = defined({ name: filename, mimeType: mediaType, bytes: raw, uri: url });
  return { [tag]: "file", file, ...(metadata && { metadata }) } as JsonObject;
}
