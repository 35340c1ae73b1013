import type { Exchange } from "./exchange.ts";

/** Returns true if a response is a web page, by its content type or its first bytes. */
export function isWebPage({ http: { response } }: Exchange): boolean {
  if (!response) return false;
  const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const start = Buffer.from(response.body.slice(0, 200)).toString("latin1").trimStart().toLowerCase();
  return /^text\/html\b/i.test(type) || start.startsWith("<!doctype html") || start.startsWith("<html");
}
