import type { Extension } from "./skill.ts";

/** Adds the elapsed time to every message and artifact. */
export const timing: Extension = {
  uri: "urn:assay:extension:timing:v1",
  description: "Adds elapsedMs, the time since the request arrived, to the metadata of messages and artifacts.",
  required: false,
  metadata: (now, startedAt) => ({ elapsedMs: now - startedAt }),
};

/** Adds the name of the test bed's build. */
export const provenance: Extension = {
  uri: "urn:assay:extension:provenance:v1",
  description: "Adds the name of the test bed to the metadata of messages and artifacts.",
  required: false,
  metadata: () => ({ servedBy: "assay test bed" }),
};

/** Has no effect except that it is required: a client that does not declare it is rejected. */
export const acknowledgement: Extension = {
  uri: "urn:assay:extension:acknowledgement:v1",
  description: "The client must declare this extension, to show that it reads the card.",
  required: true,
  metadata: () => ({ acknowledged: true }),
};
