import { code, prose, visible, visibleLines } from "@assay/suite/text";
import type { PlanBlock, PlanPage, SideRow } from "@assay/viewer/documents";

/** A comment on a pull request may have 65,536 characters; this leaves room for words around it. */
const mostCharacters = 60_000;

/** Renders a page as the body of a pull request. What does not fit is counted. */
export function planMarkdown({ title, answer, blocks }: PlanPage): string {
  const lines = [`# ${prose(title)}`, "", prose(answer), ""];
  let size = lines.join("\n").length;
  let left = 0;
  for (const block of blocks) {
    const written = [...markdownOf(block), ""];
    const length = written.join("\n").length;
    // A long example is left out; the headings and tables after it still fit.
    if (size + length > mostCharacters) {
      left++;
      continue;
    }
    size += length;
    lines.push(...written);
  }
  if (left) lines.push(`${left} more parts do not fit here. The page and the JSON document have them.`, "");
  return lines.join("\n");
}

function markdownOf(block: PlanBlock): string[] {
  switch (block.is) {
    case "heading":
      return [`${"#".repeat(block.level)} ${prose(block.text)}`];
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

/** In an element of HTML, Markdown still makes links and mentions of what looks like them. */
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
