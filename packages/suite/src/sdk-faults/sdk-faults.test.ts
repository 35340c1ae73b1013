import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { sdkFaults, sdks } from "../generated/sdk-faults.ts";
import { sdkMarks } from "../generated/sdk-marks.ts";
import { breachCodes } from "../rules/breach-codes.ts";

const findings = fileURLToPath(new URL("../../../../docs/findings/", import.meta.url));
const page = (name: string): string => readFileSync(join(findings, name), "utf8");
const pages = Object.values(sdks).flatMap(({ releases }) => releases.flatMap((release) => release.pages));
const ids = (text: string): string[] => {
  // "JSONRPC-006 to 009" and "SEND-004 to SEND-007" are ranges.
  const ranges = [...text.matchAll(/\b((?:V0\d-)?[A-Z]+)-(\d{3}) to (?:[A-Z]+-)?(\d{3})\b/g)].flatMap(
    ([, area, from, to]) =>
      Array.from(
        { length: Number(to) - Number(from) + 1 },
        (_, index) => `${area}-${String(Number(from) + index).padStart(3, "0")}`,
      ),
  );
  return [...ranges, ...(text.match(/\b(?:V0\d-)?[A-Z]+-\d{3}\b/g) ?? [])];
};

/** The rules in the headings of failures; what a page says about clients, and of warnings, is left out. */
function failedIn(text: string): string[] {
  const failed = text
    .split(/^## /m)
    .filter((section) => !/^(The clients?\b|Warnings|How |Seen by|To be filed)/.test(section));
  return failed.flatMap((section) =>
    [...section.matchAll(/^##?#? ?(.*[A-Z]+-\d{3}.*)$/gm)]
      .map(([, heading]) => heading!)
      .filter((heading) => !/\(warnings?\)/.test(heading))
      .flatMap((heading) => ids(heading.replace(/; warnings? .*$/, ""))),
  );
}

test("the table is the YAML, without what is filed upstream", () => {
  const yaml = parse(readFileSync(new URL("sdk-faults.yaml", import.meta.url), "utf8")) as {
    faults: { upstream?: unknown }[];
    sdks: Record<string, { marks: unknown }>;
  };
  expect(sdkFaults).toEqual(yaml.faults.map(({ upstream: _, ...row }) => row));
  expect(sdkMarks).toEqual(Object.fromEntries(Object.entries(yaml.sdks).map(([name, { marks }]) => [name, marks])));
});

test("every failure of a findings page has a row", () => {
  const missing = Object.entries(sdks).flatMap(([sdk, { releases }]) => {
    const known = new Set(sdkFaults.filter((row) => row.sdk === sdk).flatMap(({ rules }) => rules));
    const seen = releases.flatMap((release) => release.pages).flatMap((name) => failedIn(page(name)));
    return [...new Set(seen)].filter((rule) => !known.has(rule)).map((rule) => `${sdk} ${rule}`);
  });
  expect(missing).toEqual([]);
});

test("the headings of the pages are read", () => {
  expect(failedIn(page("a2a-python-1.3.0.md"))).toEqual(["CTX-010", "STREAM-003", "VER-005", "LIST-022"]);
  expect(failedIn(page("fasta2a-2.1.1.md"))).toContain("JSONRPC-008");
  expect(failedIn(page("a2a-java.md"))).not.toContain("PUSH-020");
});

test("every row has its rules on a findings page, and a code of the list", () => {
  const stray = sdkFaults.flatMap(({ sdk, versions, rules, code }) => {
    const releases = sdks[sdk]!.releases.filter(({ version }) => versions.includes(version));
    const told = new Set(ids(releases.flatMap((release) => release.pages.map(page)).join("\n")));
    return [
      ...rules.filter((rule) => rule !== "*" && !told.has(rule)).map((rule) => `${sdk} ${rule}`),
      ...[code ?? []].flat().flatMap((each) => (each in breachCodes ? [] : [`${sdk} ${each}`])),
    ];
  });
  expect(stray).toEqual([]);
});

test("every findings page of a server belongs to an SDK", () => {
  // Frameworks on an official SDK have its faults; the others are about clients, upgrades, or all servers.
  const others = [
    "google-adk-2.13.0.md",
    "strands-1.62.0.md",
    "frameworks.md",
    "clients.md",
    "a2a-js-clients.md",
    "a2a-python-clients.md",
    "a2a-cli.md",
    "upgrade.md",
  ];
  expect(
    readdirSync(findings)
      .filter((name) => !pages.includes(name))
      .sort(),
  ).toEqual(others.sort());
});
