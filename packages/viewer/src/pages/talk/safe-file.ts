/**
 * Types that browsers never run or render as a page. Every other type, such as HTML or SVG, is saved as plain bytes.
 * The agent's own type does not decide how the file is handled.
 */
const harmless: ReadonlySet<string> = new Set([
  "text/plain",
  "text/csv",
  "application/json",
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "audio/mpeg",
  "audio/wav",
  "video/mp4",
]);

export function safeType(mediaType: string | undefined): string {
  const [type = ""] = (mediaType ?? "").toLowerCase().split(";");
  return harmless.has(type.trim()) ? type.trim() : "application/octet-stream";
}

/** Returns a safe file name: no folders, no control or reordering characters, no leading dot. */
export function safeName(filename: string | undefined): string {
  const name = (filename ?? "")
    .replace(/^.*[\\/]/, "")
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, "")
    .replace(/^[.\s]+/, "")
    .slice(0, 120);
  return name || "file";
}

/** Returns the bytes of a file part, or undefined if they are not valid Base64. */
export function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
