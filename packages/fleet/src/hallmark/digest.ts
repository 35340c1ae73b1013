import { createHash } from "node:crypto";

/** "sha256:…", of these very bytes. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
