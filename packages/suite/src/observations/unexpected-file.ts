import type { Part } from "@assay/protocol";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";

/** A program by its label, and a line of text by what is in it. */
const file: Part = {
  raw: Buffer.from("This is only a test, and no program.\n").toString("base64"),
  mediaType: "application/x-msdownload",
  filename: "setup.exe",
};

/** A message that has a file of a type which the card does not list. */
export const unexpectedFile = observation<Call>({
  name: "a file of an unexpected type",
  messages: 1,
  prompts: ["task"],
  rank: 9,
  async make(target) {
    const modes = target.facts.inputModes.map((mode) => mode.toLowerCase());
    if (modes.some((mode) => /^(\*|application)\/\*$/.test(mode) || mode === file.mediaType)) {
      throw skipped("not-triggered", "the card says that the agent takes files of every type");
    }
    return target.send("task", { parts: [...target.message("task").parts, file] });
  },
});
