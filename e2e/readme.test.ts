import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The README's curl transcripts, played against a test bed: what is written there is what happens. */
const shell = promisify(execFile);
const address = "http://127.0.0.1:4040";

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0" });
});
afterAll(() => testbed.close(0));

describe("the transcripts of the README", () => {
  const played = transcripts(readFileSync("README.md", "utf8")).filter(({ command }) => command.startsWith("curl "));

  test("are there", () => expect(played.length).toBeGreaterThanOrEqual(4));

  test.each(played)("$command", async ({ command, output }) => {
    const { stdout } = await shell("bash", ["-c", command.replaceAll(address, testbed.url)]);
    expect(timeless(stdout.trimEnd())).toBe(timeless(output));
  });
});

/** Each `$ command` of the console blocks with the lines that follow it. */
function transcripts(markdown: string): { command: string; output: string }[] {
  const blocks = [...markdown.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1]!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((entry) => {
        const [command = "", ...lines] = entry.trimEnd().split("\n");
        return { command, output: lines.join("\n") };
      }),
  );
}

const timeless = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "«id»")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "«time»");
