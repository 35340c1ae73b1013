import { ActsMistakes, ActsPage } from "./page.ts";
import { RecordReader } from "./record.ts";

/** Reads the behaviours of an agent: a file of §11.1 of the format. Throws its mistakes. */
export function readBehaviours(file: string, text: string): string[] {
  const page = new ActsPage(file, text);
  const document = new RecordReader(page, page.root, "the file");
  document.require("acts_version", "behaviors");
  document.text("acts_version");
  const prefixes = document.list("behaviors").map((node) => {
    const behaviour = new RecordReader(page, node, "a behaviour");
    const prefix = behaviour.requiredText("prefix");
    behaviour.requiredText("description");
    behaviour.choice("response_type", ["task", "message"]);
    behaviour.text("terminal_state");
    behaviour.list("artifacts");
    behaviour.count("delay_ms");
    behaviour.take("streaming");
    behaviour.close();
    return prefix;
  });
  document.close();
  if (page.mistakes.length) throw new ActsMistakes(page.mistakes);
  return prefixes;
}
