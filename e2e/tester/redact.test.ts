import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@assay/protocol";
import { loadReporters } from "@assay/reporters";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

const reporters = await loadReporters();

/** Words are planted in everything that is said; with --redact none of them is in any report, recording or line. */

const bed = useTestbed({ timeScale: 0 });
const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-redact-"))];
const fronts: Server[] = [];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
  for (const server of fronts) server.close().closeAllConnections();
});

const asked = ["xylophonequartz", "flummoxgiraffe", "kumquatzeppelin", "walrusmarimba", "quokkafjord"];
const answered = "wombatnebula";
const planted = [...asked, answered].flatMap((word) => [
  word,
  Buffer.from(word).toString("base64").slice(0, 12),
  Buffer.from(` ${word}`).toString("base64").slice(4, 14),
]);

const config = `
prompts:
  task: task-lifecycle ${asked[0]}
  message: { parts: [{ text: message-only ${asked[1]} }, { data: { ${asked[4]}: [${asked[3]}] } }] }
  stream: streaming ${asked[2]}
  slow: slow 1 ${asked[3]}
  inputRequired: multi-turn ${asked[0]}
  followUp: done ${asked[1]}
`;

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

beforeEach(() => {
  for (const file of filesBelow(".")) rmSync(file);
});

const formats = Object.keys(reporters);

async function said(args: readonly string[], isTerminal: boolean): Promise<string> {
  const screen = paperScreen({ isTerminal });
  const code = await run(args, screen);
  expect(code, screen.err()).not.toBe(3);
  return `${screen.out()}${screen.err()}`;
}

/** Where a word that was planted stands, with what is around it. */
const leaked = (text: string): string[] =>
  planted.flatMap((word) => {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    return at < 0 ? [] : [text.slice(Math.max(0, at - 200), at + 40)];
  });

/** Tests the agent in every format, and gives all that was printed and written. */
async function everythingOf(url: string, ...flags: string[]): Promise<Map<string, string>> {
  for (const file of filesBelow(".")) rmSync(file);
  writeFileSync("assay.yaml", config);
  const inFiles = formats
    .filter((format) => format !== "github")
    .flatMap((each) => ["--report", `${each}=${join(place, `r.${each}`)}`]);
  const all = new Map<string, string>();
  all.set("the run", await said(["test", url, ...inFiles, ...flags], true));
  rmSync("assay.yaml");
  for (const format of formats) all.set(format, await said(["report", "last", "--report", format], false));
  for (const isTerminal of [true, false]) all.set(`report ${isTerminal}`, await said(["report", "last"], isTerminal));
  for (const file of filesBelow(".")) all.set(file, readFileSync(file, "utf8"));
  return all;
}

const some = ["CARD-00*", "SEND-00*", "ERR-02*", "STREAM-00*", "DATA-00*"];
const flags = ["--depth", "full", "--grace", "1", "--task-timeout", "5", ...some.flatMap((rules) => ["--only", rules])];

test("--redact removes the conversation with a good agent, over every binding", async () => {
  writeFileSync("assay.yaml", config);
  await said(["test", `${bed.url}/spec`, ...flags, "--dialect", "1.0", "--binding", "JSONRPC"], false);
  // Without the flag they are all there, or there would be nothing to leave out.
  const kept = readFileSync(filesBelow(".").find((name) => name.endsWith(".ndjson"))!, "utf8");
  expect(asked.filter((word) => !kept.includes(word))).toEqual([]);
  const redacted = await everythingOf(`${bed.url}/spec`, ...flags, "--dialect", "1.0", "--redact");
  for (const [name, text] of redacted) expect(leaked(text), name).toEqual([]);
  const events = [...redacted].find(([name]) => name.endsWith(".ndjson"))![1];
  expect(events).toContain("TASK_STATE_COMPLETED");
  expect(events).toContain("«redacted: ");
  expect(await said(["replay", "last", "--no-config"], false)).toContain("was recorded with --redact");
});

test("--redact removes the conversation with an agent that breaks rules in every response", async () => {
  const url = `${await frontOf(bed.url)}/spec`;
  const redacted = await everythingOf(url, ...flags, "--dialect", "1.0", "--binding", "JSONRPC", "--redact");
  expect(redacted.get("json")).toContain('"verdict": "fail"');
  expect(redacted.get("json")).toContain("--redact removed the content");
  for (const [name, text] of redacted) expect(leaked(text), name).toEqual([]);
});

/** Stands before the test bed, and adds a word to every text in its answers but those of the card. */
async function frontOf(behind: string): Promise<string> {
  const { port } = new URL(behind);
  const server = createServer((incoming, response) => {
    const isCard = /agent(-card)?\.json$/.test(incoming.url ?? "");
    const onward = request(
      { host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        const { "content-length": _, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...headers, ...(!isCard && { "X-Mood": answered }) });
        let rest = "";
        const spoken = (text: string): string => (isCard ? text : text.replace(/^(data: )?({.*)$/gm, worded));
        // Line by line, so that the events of a stream pass as they come.
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          const lines = (rest + chunk).split("\n");
          rest = lines.pop()!;
          if (lines.length) response.write(`${lines.map(spoken).join("\n")}\n`);
        });
        answer.on("end", () => response.end(spoken(rest)));
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  fronts.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const worded = (_line: string, head = "", json: string): string => {
  try {
    return head + JSON.stringify(withWord(JSON.parse(json) as JsonValue));
  } catch {
    return head + json;
  }
};

/** What says how it goes stays, so that there is something to be judged. */
const plain = new Set(["jsonrpc", "id", "taskId", "contextId", "state", "kind", "role", "messageId"]);

function withWord(value: JsonValue, member = ""): JsonValue {
  if (typeof value === "string") return plain.has(member) ? value : `${value} ${answered}`;
  if (Array.isArray(value)) return value.map((item) => withWord(item, member));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withWord(inner as JsonValue, name)]));
}
