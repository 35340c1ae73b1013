import { jsonText } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** Renders the run as it happened, one event per line. Every other report can be made from it again. */
export const ndjson = ({ events }: Run): string => events.map((event) => `${jsonText(event)}\n`).join("");
