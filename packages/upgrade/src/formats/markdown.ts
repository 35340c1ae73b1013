import { code, prose, visible, visibleLines } from "@assay/suite/text";
import type { PlanBlock, PlanPage, SideRow } from "@assay/viewer/documents";

/** A comment on a pull request may have 65,536 characters; this leaves room for words around it. */
const mostCharacters = 60_000;

type Sides = Extract<PlanBlock, { readonly is: "sides" }>;
type Heading = Extract<PlanBlock, { readonly is: "heading" }>;

const lengthOf = (blocks: readonly PlanBlock[]): number =>
  blocks.reduce((sum, block) => sum + markdownOf(block).join("\n").length + 2, 0);

/**
 * Returns the examples that fit next to all texts and tables. A request and its response stay together. The first example
 * of each operation comes before the others.
 */
function fittingExamples(blocks: readonly PlanBlock[], used: number): ReadonlySet<PlanBlock> {
  const pairs: Sides[][] = [];
  let last: PlanBlock | undefined;
  for (const block of blocks) {
    const isResponse = last?.is === "sides" && last.isRequest;
    if (block.is === "sides") isResponse ? pairs.at(-1)!.push(block) : pairs.push([block]);
    last = block;
  }
  let room = mostCharacters - used - lengthOf(blocks.filter(({ is }) => is !== "sides"));
  const fitting = new Set<PlanBlock>();
  for (const pair of [...pairs.filter(([first]) => !first!.isDetail), ...pairs.filter(([first]) => first!.isDetail)]) {
    const length = lengthOf(pair);
    if (length > room) continue;
    room -= length;
    for (const block of pair) fitting.add(block);
  }
  return fitting;
}

/** Renders a page as the body of a pull request. What does not fit is counted. */
export function planMarkdown({ title, answer, blocks: all }: PlanPage): string {
  const lines = [`# ${prose(title)}`, "", prose(answer), ""];
  let size = lines.join("\n").length;
  const examples = fittingExamples(all, size);
  const blocks = all.filter((block) => block.is !== "sides" || examples.has(block));
  let left = all.length - blocks.length;
  /** headings without a part below them */
  let headings: Heading[] = [];
  let isSkipped = false;
  for (const block of blocks) {
    if (block.is === "heading") {
      headings = [...headings.filter(({ level }) => level < block.level), block];
      isSkipped = false;
      continue;
    }
    const written = [...headings, block].flatMap((each) => [...markdownOf(each), ""]);
    const length = written.join("\n").length;
    // Without its first part, a section is left out.
    if (isSkipped || size + length > mostCharacters) {
      left++;
      isSkipped = headings.length > 0;
      continue;
    }
    headings = [];
    size += length;
    lines.push(...written);
  }
  if (left) {
    const [parts, them] = left === 1 ? ["part does", "it"] : ["parts do", "them"];
    lines.push(`${left} more ${parts} not fit here. The page and the JSON document have ${them}.`, "");
  }
  return lines.join("\n");
}

function markdownOf(block: PlanBlock): string[] {
  switch (block.is) {
    case "heading": {
      // In a heading, the number of a step begins no list.
      const [, number = "", text = ""] = /^(\d+\. )?(.*)$/s.exec(block.text)!;
      return [`${"#".repeat(block.level)} ${number}${prose(text)}`];
    }
    case "text":
      return [prose(block.text)];
    case "list":
      return block.items.map((item) => `- ${prose(item)}`);
    case "table":
      return [
        `| ${block.head.map(cell).join(" | ")} |`,
        `|${block.head.map(() => "---|").join("")}`,
        ...block.rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
      ];
    case "code":
      return fenced("", block.text.split("\n"));
    case "sides":
      return [
        "<details>",
        `<summary>${inElement(block.title)}</summary>`,
        "",
        ...fenced("diff", block.rows.flatMap(diffLines)),
        "",
        "</details>",
      ];
  }
}

/** Escapes all punctuation, because Markdown makes links and mentions even inside an HTML element. */
const inElement = (text: string): string =>
  visible(text).replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);

const cell = (text: string): string => (text === "" ? " " : /[|<>]/.test(text) ? code(text) : prose(text));

const diffLines = ({ today, next, isSame }: SideRow): string[] =>
  isSame
    ? [`  ${next}`]
    : [...(today === undefined ? [] : [`- ${today}`]), ...(next === undefined ? [] : [`+ ${next}`])];

/** A fence longer than any in the text, so that no text can end it. */
function fenced(language: string, lines: readonly string[]): string[] {
  const safe = lines.map(visibleLines);
  const longest =
    safe
      .join("\n")
      .match(/`+/g)
      ?.reduce((most, ticks) => Math.max(most, ticks.length), 2) ?? 2;
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...safe, fence];
}
