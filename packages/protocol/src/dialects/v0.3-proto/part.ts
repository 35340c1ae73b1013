import { defined } from "../../defined.ts";
import type { Part as PartShape } from "../../generated/model-0.3-proto.ts";
import type { Part } from "../../model.ts";
import { readStructured, writeStructured } from "../structured.ts";

/**
 * A part of `a2a.v1`: as in 1.0 the member that is present determines the kind, but files and data have their own
 * messages. SDKs ship `metadata` and the file's `name` beyond the release tag; peers without them ignore both. Python
 * encodes inline bytes twice; the message does not show it, so the bytes stay unchanged.
 *
 * Lost on output: `filename` and `mediaType` of text and data parts.
 */
export function readPart({ text, file, data, metadata }: PartShape): Part {
  if (text !== undefined) return defined({ text, metadata });
  if (data) return readStructured(defined({ data: data.data, metadata }));
  const { fileWithBytes, fileWithUri, name, mimeType } = file!;
  return defined({ raw: fileWithBytes, url: fileWithUri, filename: name, mediaType: mimeType, metadata });
}

export function writePart({ text, raw, url, data, filename, mediaType, metadata }: Part): PartShape {
  if (text !== undefined) return defined({ text, metadata });
  if (raw === undefined && url === undefined) {
    const structured = writeStructured(data ?? null, metadata);
    return defined({ data: { data: structured.data }, metadata: structured.metadata });
  }
  const file = defined({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename });
  return defined({ file, metadata });
}
