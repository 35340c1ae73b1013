import type { PlanPage } from "@assay/viewer/documents";
import { expect, test } from "vitest";
import { nastyStrings } from "../../../reporters/src/hostile.fixture.ts";
import { knownChanges } from "../traffic/changes.ts";
import { planMarkdown } from "./markdown.ts";
import { planHtml } from "./page.ts";
import { planLines } from "./terminal.ts";

const plain = { bold: String, dim: String, red: String, green: String };

const pageOf = (text: string): PlanPage => ({
  title: text,
  answer: text,
  blocks: [
    { is: "heading", level: 2, text },
    { is: "text", text },
    { is: "list", items: [text] },
    { is: "table", head: ["a", text], rows: [[text, "b"]] },
    { is: "code", text },
    { is: "sides", title: text, today: "Today", next: "In 1.0", rows: [{ today: text, next: text, isSame: false }] },
  ],
});

/** Characters that move the cursor, hide text or turn it around. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

test.each(Object.entries(nastyStrings))("%s of an agent stays text in every format", (_, text) => {
  const page = pageOf(text);
  for (const line of planLines(page, 120, plain)) expect(line).not.toMatch(hidden);
  const markdown = planMarkdown(page);
  expect(markdown).not.toMatch(hidden);
  const prose = markdown.replaceAll(/^(`{3,})[^`]*$[\s\S]*?^\1$/gm, "").replaceAll(/(`+)[^`][\s\S]*?\1/g, "");
  expect(prose).not.toMatch(/<(?!details>|\/details>|summary>|\/summary>|code>|\/code>)[a-z!/]/i);
  expect(planHtml(page)).not.toContain("<script>alert(1)</script>");
});

test("a terminal that is wide enough shows both versions next to each other, a narrow one below each other", () => {
  const page: PlanPage = {
    title: "t",
    answer: "a",
    blocks: [
      {
        is: "sides",
        title: "Response",
        today: "Today",
        next: "In 1.0",
        rows: [
          { today: "{", next: "{", isSame: true },
          { today: "old", next: "new", isSame: false },
        ],
      },
    ],
  };
  expect(planLines(page, 120, plain).join("\n")).toMatch(/^- old +\+ new$/m);
  expect(planLines(page, 80, plain).slice(3, 7)).toEqual(["Response", "  {", "- old", "+ new"]);
});

test("a line that is cut shows where it differs", () => {
  const [today, next] = ["+00:00", "Z"].map((zone) => `  "timestamp": "2026-11-19T20:11:52.421270${zone}",`);
  const rows = [{ today: today!, next: next!, isSame: false }];
  const page: PlanPage = {
    title: "t",
    answer: "a",
    blocks: [{ is: "sides", title: "R", today: "T", next: "N", rows }],
  };
  const line = planLines(page, 100, plain).find((each) => each.startsWith("- "));
  expect(line).toContain("+00:00");
  expect(line).toContain('Z",');
});

test("Markdown fits into the body of a pull request, and counts what it leaves out", () => {
  const blocks = Array.from({ length: 40 }, () => ({ is: "code", text: "x".repeat(4_000) }) as const);
  const markdown = planMarkdown({ title: "t", answer: "a", blocks });
  expect(markdown.length).toBeLessThan(65_536);
  expect(markdown).toContain("more parts do not fit here");
});

test("Markdown leaves out examples before texts and tables, and keeps a request with its response", () => {
  const rows = (length: number) => [{ today: "x".repeat(length), next: "x", isSame: false }];
  const side = (title: string, more: object = {}) =>
    ({ is: "sides", title, today: "T", next: "N", rows: rows(25_000), ...more }) as const;
  const pair = (name: string, more: object = {}) => [
    side(`Request ${name}`, { isRequest: true, ...more }),
    { ...side(`Response ${name}`, more), rows: rows(100) },
  ];
  const markdown = planMarkdown({
    title: "t",
    answer: "a",
    blocks: [
      ...pair("first"),
      ...pair("detail", { isDetail: true }),
      ...pair("second"),
      { is: "text", text: "The end" },
    ],
  });
  expect(markdown.match(/(?<=<summary>).*(?=<\/summary>)/g)).toEqual(
    ["first", "second"].flatMap((name) => [`Request ${name}`, `Response ${name}`]),
  );
  expect(markdown).toContain("The end");
  expect(markdown).toContain("2 more parts do not fit here");
});

test("the number of a step is no code, and each expression is", () => {
  const markdown = planMarkdown({
    title: "t",
    answer: "a",
    blocks: [
      { is: "heading", level: 3, text: "1. Record where you stand" },
      { is: "text", text: knownChanges.find(({ id }) => id === "wrapper")!.fix },
    ],
  });
  expect(markdown).toContain("### 1. Record where you stand\n");
  expect(markdown).toContain("`{task}`, `{message}`, `{statusUpdate}` or `{artifactUpdate}`.");
});

test("Markdown leaves out a section whose first part does not fit, with its heading", () => {
  const code = (length: number) => ({ is: "code", text: "x".repeat(length) }) as const;
  const heading = (level: 2 | 3, text: string) => ({ is: "heading", level, text }) as const;
  const text = { is: "text", text: "Below the table" } as const;
  const sections = [heading(2, "Clients"), heading(3, "Large"), code(50_000), text, heading(3, "Small"), code(10)];
  const markdown = planMarkdown({ title: "t", answer: "a", blocks: [code(40_000), ...sections] });
  expect(markdown.match(/^#.*/gm)).toEqual(["# t", "## Clients", "### Small"]);
  expect(markdown).not.toContain("Below the table");
  expect(markdown).toContain("2 more parts do not fit here. The page and the JSON document have them.");
  expect(planMarkdown({ title: "t", answer: "a", blocks: [code(70_000)] })).toContain(
    "1 more part does not fit here. The page and the JSON document have it.",
  );
});
