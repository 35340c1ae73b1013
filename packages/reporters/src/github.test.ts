import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../protocol/src/any-character.fixture.ts";
import { annotation, github, mergedGithub } from "./github.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { manyResults, nobodyThere, oneFailure, sampleWith, whatHolds } from "./sample.fixture.ts";

const lines = (text: string): string[] => text.trimEnd().split("\n");

test("a failure is an error with its rule, what to want and what to fix; the answer a notice", () => {
  expect(github(sampleWith([oneFailure]))).toMatchInlineSnapshot(`
    "::error title=ERR-020 §5.4 (JSON-RPC)::GetTask answers -32603 for an unknown task%0Awant: error.code -32001 (TaskNotFound)%0Afix: Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.
    ::notice title=A2A%3A not conformant::1 rule broken, 0 warnings; examined 1 of 1 rule that applies (quick)%0Ano level: the card was not examined, which every level requires%0Arules 1.0.1-r1
    "
  `);
});

test("what is expected, contested or only a warning is no error", () => {
  const kinds = (about: object): string[] =>
    lines(github(sampleWith([...whatHolds, { ...oneFailure, ...about }]))).map((line) => /^::(\w+)/.exec(line)![1]!);
  expect(kinds({})).toEqual(["error", "notice"]);
  expect(kinds({ expected: "fixed next month" })).toEqual(["notice"]);
  expect(kinds({ disputed: true })).toEqual(["warning", "notice"]);
  expect(kinds({ verdict: "pass", status: "pass", warning: "late" })).toEqual(["warning", "notice"]);
});

test("a run that came to no answer is an error that says what to do", () => {
  const [first] = lines(github(nobodyThere));
  expect(first).toMatch(/^::error title=A2A%3A inconclusive::Cannot reach .*%0AStart the agent/);
});

test("no more than GitHub shows, and the last of them counts the rest", () => {
  const results = Array.from({ length: 40 }, (_, index) => ({
    ...oneFailure,
    test: `A-${index}`,
    operation: `Operation${index}`,
  }));
  const errors = lines(github(sampleWith(results))).filter((line) => line.startsWith("::error"));
  expect(errors).toHaveLength(10);
  expect(errors.at(-1)).toMatch(/^::error title=A2A::\d+ more: see the summary/);
});

test("several runs share the annotations that GitHub shows, and a run without a verdict comes first", () => {
  const results = Array.from({ length: 20 }, (_, n) => ({ ...oneFailure, test: `A-${n}`, operation: `Operation${n}` }));
  const written = lines(
    mergedGithub([
      { ...sampleWith(results), agent: "maps" },
      { ...nobodyThere, agent: "mail" },
    ]),
  );
  const kinds = written.map((line) => /^::(\w+) title=(\w+)%3A/.exec(line)?.slice(1).join(" ") ?? line);
  expect(kinds.slice(0, 2)).toEqual(["error mail", "error maps"]);
  expect(written.filter((line) => line.startsWith("::error"))).toHaveLength(10);
  expect(written[9]).toMatch(/^::error title=A2A::12 more: /);
  expect(kinds.slice(-2)).toEqual(["notice maps", "notice mail"]);
});

const isCommand = /^::(error|warning|notice) title=[^:,\r\n]*::(?:(?!##\[|##vso\[)[^\r\n])*$/;
const structure = lines(github(runThatSays("plain"))).map((line) => line.split(" ", 1)[0]);

test.each(Object.entries(nastyStrings))("%s from an agent forges no command", (_, text) => {
  const written = lines(github(runThatSays(text)));
  expect(written.map((line) => line.split(" ", 1)[0])).toEqual(structure);
  for (const line of written) expect(line).toMatch(isCommand);
});

test("no text ends a command or begins another", () => {
  const unit = fc.constantFrom(..."%:,;=#[]\n\r0AaDv so\u2028\u0085\ud800");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: anyCharacter })), (text) => {
      expect(annotation("error", text, text, text)).toMatch(isCommand);
    }),
  );
});

test("with several agents, every annotation names its agent", () => {
  const told = lines(github({ ...sampleWith(manyResults(300)), agent: "maps" }));
  expect(told.length).toBeGreaterThan(5);
  for (const line of told) expect(line).toMatch(/^::\w+ title=maps%3A /);
});
