import { readFileSync } from "node:fs";

/** Our version, from the one place that states it. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
