import { defined } from "../defined.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Part } from "../model.ts";
import { base64Of, standardBase64 } from "../schemas/base64.ts";
import { type Mend, mending, mendMember } from "./mending.ts";
import type { ReadingPlace } from "./place.ts";
import { readStructured, writeStructured } from "./structured.ts";

interface Tolerance {
  readonly tag: "kind" | "type";
  /** 0.1 only: its official page shows arrays as data, and files that are not base64 */
  readonly loose?: boolean;
}

/** Mends parts that peers write with a missing or wrong tag, with files under `data`, or with odd base64. */
export const mendTaggedPart = ({ tag, loose = false }: Tolerance): Mend =>
  mending((part, place) => {
    const other = tag === "kind" ? "type" : "kind";
    if (part[tag] === undefined && typeof part[other] === "string") {
      part[tag] = part[other];
      place.at(other).note(`is used instead of "${tag}", which this dialect requires`);
    } else if (part[tag] === undefined) {
      const inferred = ["text", "file", "data"].find((name) => part[name] !== undefined);
      if (inferred === undefined) return;
      part[tag] = inferred;
      place.at(tag).note(`is missing; assumed to be "${inferred}"`);
    }
    if (part[tag] === "file") mendMember(part, "file", place, mendFile(loose));
    if (part[tag] === "data" && loose && part["data"] !== undefined && !isObject(part["data"])) {
      place.at("data").note("is not an object; kept unchanged");
      Object.assign(part, writeStructured(part["data"] as never, part["metadata"] as never));
    }
  });

const mendFile = (loose: boolean): Mend =>
  mending((file, place) => {
    const { data, bytes, uri } = file;
    delete file["data"];
    const misplaced = typeof data === "string" && bytes === undefined && uri === undefined;
    if (misplaced) place.at("data").note("is used instead of bytes; read as bytes");
    const content = misplaced ? data : bytes;
    if (typeof content !== "string") return;
    const here = place.at(misplaced ? "data" : "bytes");
    const standard = standardBase64(content);
    if (standard === undefined && loose) here.note("is not base64; read as plain text");
    else if (standard !== undefined && standard !== content) here.note("is base64 in a nonstandard form");
    file["bytes"] = standard ?? (loose ? base64Of(content) : content);
  });

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

interface TaggedFile {
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
