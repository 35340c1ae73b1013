import { safeName, safeType } from "./safe-file.ts";

/** Gives a file to the browser to keep. It is never shown. */
export function keepFile(
  bytes: Uint8Array<ArrayBuffer>,
  filename: string | undefined,
  mediaType: string | undefined,
): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: safeType(mediaType) }));
  const link = document.createElement("a");
  link.href = url;
  link.download = safeName(filename);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
