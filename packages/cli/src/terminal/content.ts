import type { Message } from "@assay/protocol";
import { brief } from "./escape.ts";

/** The parts of a message or an artifact on one line. */
export function contentOf(parts: Message["parts"]): string {
  const words = parts.map((part) => {
    if (part.text !== undefined) return `"${brief(part.text, 70)}"`;
    if (part.data !== undefined) return `data ${brief(JSON.stringify(part.data), 60)}`;
    const name = part.filename ? ` ${brief(part.filename, 40)}` : "";
    const type = part.mediaType ? ` (${brief(part.mediaType, 40)})` : "";
    if (part.url !== undefined) return `file${name}${type} at ${brief(part.url, 60)}`;
    return `file${name}${type}, ${bytesIn(part.raw ?? "")} bytes`;
  });
  return words.join(", ");
}

/** How many bytes Base64 stands for. */
const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
