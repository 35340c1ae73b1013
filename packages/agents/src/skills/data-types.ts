import { artifact, skill, status } from "../definition/skill.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="7"/></svg>';

const measurement = {
  type: "measurement",
  values: [1, 2.5, -3],
  nested: { unit: "mm", ok: true, note: null },
};

export const dataTypes = skill("data-types", {
  name: "Data types",
  description: "Returns every kind of content: text, structured data, a file, and a mixture.",
  tags: ["task", "artifact", "data", "file"],
  examples: ["data-types all"],
  outputModes: ["text/plain", "application/json", "image/svg+xml"],

  async *run() {
    yield status("working");
    yield artifact("text", "[data-types] Plain text", { last: true });
    yield artifact("data", [{ data: measurement, mediaType: "application/json" }], { last: true });
    const raw = Buffer.from(svg).toString("base64");
    yield artifact("file", [{ raw, filename: "test.svg", mediaType: "image/svg+xml" }], { last: true });
    yield artifact("mixed", [{ text: "[data-types] Text beside data" }, { data: { beside: "text" } }], { last: true });
    yield status("completed");
  },
});
