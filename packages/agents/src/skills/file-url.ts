import { artifact, skill, status } from "../definition/skill.ts";

export const fileUrl = skill("file-url", {
  name: "File by URL",
  description: "Returns a file by reference instead of by value.",
  tags: ["task", "file"],
  examples: ["file-url"],

  async *run() {
    yield status("working");
    const part = { url: "https://example.com/report.pdf", filename: "report.pdf", mediaType: "application/pdf" };
    yield artifact("file", [part], { last: true });
    yield status("completed");
  },
});
