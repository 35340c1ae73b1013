import { readFileSync } from "node:fs";

/** The version of Assay, read from package.json as the only source. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
