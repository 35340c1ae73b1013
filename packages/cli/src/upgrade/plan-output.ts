import { reasonOf } from "@assay/library/runs";
import type { JsonObject } from "@assay/protocol";
import { jsonText } from "@assay/suite/text";
import { type PlanPage, planHtml, planLines, planMarkdown } from "@assay/upgrade";
import type { UpgradeFlags } from "../commands/upgrade.ts";
import { UsageError } from "../exit.ts";
import { writeFile } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "../testing/invocation.ts";

const formats = {
  markdown: (_document: object, page: PlanPage): string => planMarkdown(page),
  json: (document: object): string => `${jsonText(document, 2)}\n`,
  html: (_document: object, page: PlanPage): string => planHtml(page),
};

interface PlanTarget {
  readonly format: keyof typeof formats;
  /** absent: stdout */
  readonly file?: string;
}

/** Writes a plan to the terminal and to the requested reports. */
export class PlanOutput {
  readonly screen: Screen;
  /** the screen for people: stderr while stdout belongs to a report */
  readonly people: Screen;
  readonly #targets: readonly PlanTarget[];

  constructor({ report = [], json }: UpgradeFlags, screen: Screen) {
    this.#targets = [...report, ...(json ? ["json"] : [])].map(targetOf);
    const spoken = this.#targets.filter(({ file }) => file === undefined);
    if (spoken.length > 1)
      throw new UsageError(
        `Only one report can go to stdout, but you asked for ${spoken.map(({ format }) => format).join(" and ")}`,
        `Give the others a file: --report ${spoken[1]!.format}=<file>`,
      );
    this.screen = screen;
    this.people = spoken.length ? screen.aside() : screen;
  }

  get invocation(): Pick<TestInvocation, "screen" | "people"> {
    return { screen: this.screen, people: this.people };
  }

  /** Writes the document in every requested format. Without a report on stdout, the terminal shows it. */
  write(document: object, page: PlanPage): void {
    for (const { format, file } of this.#targets) {
      const text = formats[format](document, page);
      if (file === undefined) this.screen.write(text);
      else this.#save(file, text);
    }
    if (this.#targets.some(({ file }) => file === undefined)) return;
    const { people } = this;
    people.line();
    for (const line of planLines(page, people.size().columns, people.colors)) people.line(line);
  }

  /** Writes a card, ready to serve. */
  writeCard(file: string | undefined, { card }: { readonly card: JsonObject }): void {
    if (file !== undefined) this.#save(file, `${jsonText(card, 2)}\n`);
  }

  #save(file: string, text: string): void {
    try {
      writeFile(file, text, 0o666);
    } catch (error) {
      throw new UsageError(
        `Cannot write ${file}: ${reasonOf(error as NodeJS.ErrnoException)}`,
        "Choose another file. The run is saved, see assay runs.",
      );
    }
    this.people.line(`written: ${file}`);
  }
}

function targetOf(given: string): PlanTarget {
  const at = given.indexOf("=");
  const format = at < 0 ? given : given.slice(0, at);
  const file = at < 0 ? undefined : given.slice(at + 1);
  if (!Object.hasOwn(formats, format) || file === "")
    throw new UsageError(
      `--report ${given}: ${file === "" ? "missing file name after =" : `unknown format "${format}"`}`,
      `Formats: ${Object.keys(formats).join(", ")}. With a file: --report markdown=upgrade.md`,
    );
  return { format: format as PlanTarget["format"], ...(file !== undefined && { file }) };
}
