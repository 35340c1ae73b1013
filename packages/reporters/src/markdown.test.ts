import fc from "fast-check";
import { expect, test } from "vitest";
import { provesAll } from "../../../e2e/fixtures/proves-all.fixture.ts";
import { anyCharacter } from "../../protocol/src/any-character.fixture.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { markdown } from "./markdown.ts";
import { brokenProperty, manyResults, nobodyThere, oneFailure, sampleRun, sampleWith } from "./sample.fixture.ts";

/** The part that changes with every client that is measured. */
const forecastOn = /<details>\n<summary>Forecast: .*?<\/details>\n\n/s;

test("the page of a small run", () => {
  expect(markdown(sampleWith([oneFailure])).replace(forecastOn, "")).toMatchInlineSnapshot(`
    "## not conformant: Weather Agent 2.3.0

    **1 rule broken, 0 warnings** — examined 1 of 1 rule that applies (quick). 0 passed, 1 failed, 0 skipped.

    no level: the card was not examined, which every level requires.

    Agent \`http://127.0.0.1:9999\` · JSON-RPC 1.0 at \`http://127.0.0.1:9999/\` · HTTP+JSON 1.0 at \`http://127.0.0.1:9999/v1\` · gRPC 1.0 at \`http://127.0.0.1:9998\` · 2026-11-15 08:14 UTC · 48 s · 8 of 8 messages

    ### Fix first

    1. **[ERR-020 §5.4](https://a2a-protocol.org/v1.0.1/specification/#54)** GetTask answers \`-32603\` for an unknown task — JSON-RPC
       - sent: \`{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}\`
       - saw: \`{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"KeyError: '3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11'"}}\`
       - want: error.code \`-32001\` (TaskNotFound)
       - fix: Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.
       - reproduce: \`curl -s http://127.0.0.1:9999/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}'\`

    ### Notes

    - not tested: JSON-RPC 0.2 at \`http://127.0.0.1:9999/\`: 0.2 is tested only with \`--dialect\` 0.2
    - note: hooks.example.com was not contacted: it is not among the allowed hosts (--allow-host)

    <details>
    <summary>error-handling: 1 result, 1 failed</summary>

    | rule | where | verdict | |
    | --- | --- | --- | --- |
    | ERR-020 | JSON-RPC | fail | GetTask of an unknown task is TaskNotFound: GetTask answers \`-32603\` for an unknown task |

    </details>

    <sub>assay 1.0.0, rules 1.0.1-r1, run \`2026-11-15T08-14-02\`</sub>
    "
  `);
});

test("a broken property of a gateway shows both ends as a diff", () => {
  const page = markdown(sampleWith([brokenProperty]));
  expect(page.slice(page.indexOf("1. **"), page.indexOf("   - fix"))).toMatchInlineSnapshot(`
    "1. **[GW-ERROR-STATUS §5.4](https://a2a-protocol.org/v1.0.1/specification/#54)** the gateway changes the status of \`TASK_NOT_FOUND\` — JSON-RPC
       \`\`\`diff
         response status
       - the agent sent: HTTP 404
       + the client received: HTTP 502
       \`\`\`
       - sent: \`{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}\`
    "
  `);
});

test("a property that no section of A2A describes has no link to it", () => {
  const page = markdown(sampleWith([{ ...brokenProperty, section: "" }]));
  expect(page).toContain("1. **GW-ERROR-STATUS** the gateway changes");
});

test("the answer comes first, then what to fix, what it holds up, and the rest", () => {
  const heads = markdown(sampleRun).match(/^(##.*|<summary>(Forecast|.*))/gm);
  expect(heads).toMatchInlineSnapshot(`
    [
      "## not conformant: Weather Agent 2.3.0",
      "### Fix first",
      "### Held up",
      "### Warnings",
      "### Expected failures",
      "### Not examined",
      "### Notes",
      "<summary>agent-card: 6 results, 0 failed, 1 with a warning</summary>",
      "<summary>lifecycle: 30 results, 2 failed</summary>",
      "<summary>streaming: 12 results, 1 failed</summary>",
      "<summary>error-handling: 15 results, 1 failed, 1 with a warning</summary>",
      "<summary>interop: 5 results, 1 failed, 1 with a warning</summary>",
      "<summary>Forecast",
    ]
  `);
});

test("a run that reached no agent says so, and names the next step", () => {
  expect(markdown(nobodyThere)).toMatchInlineSnapshot(`
    "## inconclusive: \`http://127.0.0.1:9999\`

    > Cannot reach \`http://127.0.0.1:9999\` (connection refused, 6 attempts in 10 s). Start the agent, or let Assay start it: assay test \`--start\` "npm run agent" \`http://127.0.0.1:9999\`

    Agent \`http://127.0.0.1:9999\` · 2026-11-15 08:14 UTC · 10 s · no messages

    <sub>assay 1.0.0, rules 1.0.1-r1, run \`2026-11-15T08-14-02\`</sub>
    "
  `);
});

test("failures that a baseline expects are nothing to fix first, and told all the same", () => {
  const text = markdown(sampleWith([{ ...oneFailure, expected: "fixed next month" }]));
  expect(text).not.toContain("### Fix first");
  expect(/### Expected failures\n\n(.*?)\n\n/s.exec(text)![1]).toMatchInlineSnapshot(
    `"- ERR-020 (JSON-RPC) fails, as expected (fixed next month): GetTask answers \`-32603\` for an unknown task"`,
  );
});

/** A bar in a diff ends no cell. */
const diff = /^ +```diff\n(?: +[-+ ] .*\n){3} +```$/gm;

/** Of each line: how it begins, and how many cells it has. */
const shape = (text: string): string[] =>
  text
    .replace(diff, "(a diff)")
    .split("\n")
    .map((line) => `${/^\s*(#+|\d+\.|[->|]|<[^>]*>|)/.exec(line)![0]} ${line.split("|").length}`);

const structure = shape(markdown(runThatSays("plain")));

test.each(Object.entries(nastyStrings).filter(([, text]) => text.trim() !== ""))(
  "%s from an agent leaves the page as it is",
  (_, text) => {
    expect(shape(markdown(runThatSays(text)))).toEqual(structure);
  },
);

test("no text from an agent changes the page", () => {
  const unit = fc.constantFrom(..."`|\\<>[]()*_@#:!&;-+= \n\r\ta1.~$\ud800\u202e");
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit })).filter((said) => said.trim() !== "");
  fc.assert(
    fc.property(text, (said) => {
      expect(shape(markdown(runThatSays(said)))).toEqual(structure);
    }),
  );
});

test.each([
  ["of words", (index: number) => `${"the agent said much ".repeat(400)}${index}`],
  ["of what has to be escaped", (index: number) => `${"\u202e|<`".repeat(2000)}${index}`],
  ["of wide letters", (index: number) => `${"日本語".repeat(2000)}${index}`],
])("many long results %s fit a comment on a pull request, and what is left out is counted", (_, say) => {
  const results = manyResults(provesAll ? 5000 : 500).map((result, index) => ({
    ...result,
    ...Object.fromEntries(["message", "sent", "saw", "want", "remedy", "repeat"].map((name) => [name, say(index)])),
    ...(result.warning !== undefined && { warning: say(index) }),
  }));
  const text = markdown(sampleWith(results));
  expect(text.length).toBeLessThan(60_000);
  expect(text).toMatch(/… and \d+ more failures: see the JSON or HTML report\./);
  expect(text).toMatch(/… and \d+ more lines: see the JSON or HTML report\./);
  for (const table of text.replace(forecastOn, "").split("<details>").slice(1))
    expect(table).toMatch(/^\| [A-Z]+-\d+.* \|$/m);
  expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)!.length);
});

test.each(Object.entries({ bars: "|", marks: "\u202e", words: "word " }))(
  "an agent that says nothing but %s, at any length, hides no failure",
  (_, said) => {
    const text = markdown(runThatSays(said.repeat(3000)));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/^1\. \*\*A-1/m);
  },
);

test("the heading has the name in assay.yaml, because two agents may share the one on their cards", () => {
  const heading = (agent?: string) =>
    markdown({ ...sampleWith([oneFailure]), ...(agent && { agent }) }).split("\n", 1)[0];
  expect(heading()).toBe("## not conformant: Weather Agent 2.3.0");
  expect(heading("staging")).toBe("## not conformant: staging (Weather Agent 2.3.0)");
  // A merged report already uses the name on the card.
  expect(heading("Weather Agent http://127.0.0.1:9999")).toBe("## not conformant: Weather Agent 2.3.0");
});
