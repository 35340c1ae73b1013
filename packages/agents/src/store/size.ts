import type { TaskEvent } from "./store.ts";

/** Overhead of a stored task besides its content: its entry, its log, its places in the list orders. */
const entryBytes = 1_200;

/** Estimates the memory of an event: its content and the objects that hold it. */
export const sizeOf = (event: TaskEvent): number => (event.is === "created" ? entryBytes : 0) + footprint(event);

const objectBytes = 56;
const memberBytes = 32;
const arrayBytes = 32;
const stringBytes = 24;
const pointerBytes = 8;

/**
 * Estimates the memory of a JSON value. It differs from its length: `[{},{},…]` takes twenty times as much,
 * and one character beyond Latin-1 doubles its string. A value that occurs twice is counted twice.
 */
export function footprint(value: unknown): number {
  if (typeof value === "string") return stringBytes + textBytes(value);
  if (typeof value !== "object" || value === null) return pointerBytes;
  let bytes = Array.isArray(value) ? arrayBytes : objectBytes;
  if (Array.isArray(value)) for (const item of value) bytes += pointerBytes + footprint(item);
  else for (const name in value) bytes += memberBytes + name.length + footprint(value[name as never]);
  return bytes;
}

const textBytes = (text: string): number => (isLatin1(text) ? text.length : 2 * text.length);

/** Checks short texts character by character, because starting a regular expression takes longer. */
function isLatin1(text: string): boolean {
  if (text.length > 64) return !/[\u0100-\uffff]/.test(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
