import { expect, test } from "vitest";
import { keepsOut } from "./robots.ts";

const ours = (...rules: string[]) => ["User-agent: *", "Disallow: /", "", "User-agent: Assay", ...rules].join("\n");

test.each([
  ["no rules at all", "", "/a", false],
  ["what is said to all robots is not meant for us", "User-agent: *\nDisallow: /\n", "/a", false],
  ["everything", ours("Disallow: / # please"), "/a", true],
  ["nothing", ours("Disallow:"), "/a", false],
  ["the name of the package", "User-agent: A2A-Assay\nDisallow: /a\n", "/agent", true],
  ["one of several names", "User-agent: other\r\nUser-agent: assay\r\nDisallow: /a\r\n", "/agent", true],
  ["the group of another", "User-agent: assay\nDisallow: /x\n\nUser-agent: other\nDisallow: /\n", "/a", false],
  ["the longer rule wins", ours("Disallow: /", "Allow: /agents/open"), "/agents/open/1", false],
  ["the longer rule wins, here", ours("Disallow: /", "Allow: /agents/open"), "/agents/1", true],
  ["of two as long, what is allowed", ours("Disallow: /a", "Allow: /a"), "/a", false],
  ["a star", ours("Disallow: /*/private"), "/agents/private/1", true],
  ["an end", ours("Disallow: /*.json$"), "/card.json?x", false],
  ["an end that is reached", ours("Disallow: /*.json$"), "/card.json.json", true],
])("%s", (_title, robots, path, isKeptOut) => {
  expect(keepsOut(robots, path)).toBe(isKeptOut);
});
