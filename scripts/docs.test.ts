import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: the scripts are plain JavaScript
import { generatedPages } from "./docs/generated-pages.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { llmsText } from "./docs/llms-text.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");
const generated = generatedPages() as Readonly<Record<string, string>>;

/** Pages by their path below the root of the repository; generated ones are not read from disk. */
const pages = new Map<string, string>(
  [
    ...readdirSync(docs, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.endsWith(".md") && !/^(?:reference|project)\//.test(file))
      .map((file) => `docs/${file}`),
    ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ].map((file) => [file, readFileSync(join(root, file), "utf8")]),
);
for (const [file, text] of Object.entries(generated))
  if (file.startsWith("reference/")) pages.set(`docs/${file}`, text);

interface SidebarItem {
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}
const sidebar = JSON.parse(readFileSync(join(docs, ".vitepress/sidebar.json"), "utf8")) as SidebarItem[];
const linksIn = (items: readonly SidebarItem[]): string[] =>
  items.flatMap(({ link, items: inner }) => [...(link === undefined ? [] : [link]), ...linksIn(inner ?? [])]);
const inSidebar = linksIn(sidebar);

test("every page is in the sidebar, and every entry of the sidebar has a page", () => {
  // The configuration lists the decision records by itself; the home page is the address of the site.
  const expected = [...pages.keys(), ...Object.keys(generated).map((file) => `docs/${file}`)]
    .filter((file) => file.startsWith("docs/") && !file.startsWith("docs/adr/") && file !== "docs/index.md")
    .map((file) => `/${relative("docs", file).replace(/\.md$/, "")}`);
  expect(inSidebar.toSorted()).toEqual([...new Set(expected)].toSorted());
});

test("llms.txt names every page with a sentence about it", () => {
  const lines = (llmsText(generated) as string).split("\n").filter((line) => line.startsWith("- "));
  const [named, words] = [[], []] as [string[], string[]];
  for (const line of lines) {
    const [, link = "", sentence = ""] = /^- \[[^\]]+\]\(([^)]+)\): (.*)$/.exec(line) ?? [];
    named.push(`/${link}`);
    words.push(sentence);
  }
  expect(named).toEqual(inSidebar);
  expect(words.filter((sentence) => sentence.length < 20)).toEqual([]);
});

test("every link leads to a file, and every anchor to a heading", () => {
  const dead = [...pages].flatMap(([page, text]) =>
    targetsIn(text).flatMap((href) => {
      const [path = "", anchor] = href.split("#", 2);
      const file = path === "" ? page : join(path.startsWith("/") ? "docs" : dirname(page), decodeURI(path));
      const known = [file, `${file}.md`].find((each) => pages.has(each));
      if (known === undefined) return isThere(file) && anchor === undefined ? [] : [`${page}: ${href}`];
      return anchor === undefined || anchorsOf(pages.get(known)!).has(anchor) ? [] : [`${page}: ${href}`];
    }),
  );
  expect(dead).toEqual([]);
});

const isThere = (file: string): boolean =>
  existsSync(join(root, file)) || relative("docs", file).replace(/(?:\.md)?$/, ".md") in generated;

/** Returns the relative links of a page; code is no link. */
function targetsIn(text: string): string[] {
  const prose = text.replaceAll(/^(```+)[\s\S]*?^\1/gm, "").replaceAll(/`[^`\n]*`/g, "`code`");
  const inline = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, href]) => href!);
  const front = [...text.matchAll(/^ +link: (\S+)$/gm)].map(([, href]) => href!);
  return [...inline, ...front].filter((href) => !/^[a-z]+:/i.test(href));
}

/** Returns the anchors that GitHub and VitePress both give the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
  const explicit = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!);
  return new Set([
    ...explicit,
    ...headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  ]);
}
