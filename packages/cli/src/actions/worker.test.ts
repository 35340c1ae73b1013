import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-worker-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const history = `sqlite:${join(folder, "history.db")}`;
const list = join(folder, "agents.ndjson");
writeFileSync(list, '{"url":"http://127.0.0.1:9/"}\n');

/** Nothing listens there. */
const away = "redis://:hunter2@127.0.0.1:1";

test.each([
  [
    "a queue that is none",
    ["worker", "--queue", "amqp://me:hunter2@queue.example", "--history", history],
    "A queue is named as",
  ],
  [
    "a queue that cannot be reached",
    ["worker", "--queue", away, "--history", history],
    "redis://127.0.0.1:1 cannot be reached",
  ],
  [
    "a variable that is not set",
    ["worker", "--queue", "env:E2E_NOT_SET", "--history", history],
    "E2E_NOT_SET is not set",
  ],
  ["a history that is none", ["worker", "--queue", away, "--history", "hunter2"], "A database address is"],
  [
    "a sweep whose queue cannot be reached",
    ["fleet", list, "--queue", away, "--history", history],
    "cannot be reached",
  ],
  ["a queue without a history that workers reach", ["fleet", list, "--queue", away], "--queue requires --history"],
])("%s is said at once, and no password is", async (_what, args, said) => {
  const screen = paperScreen();
  expect(await run(args, screen)).toBe(2);
  expect(`${screen.out()}${screen.err()}`).toContain(said);
  expect(`${screen.out()}${screen.err()}`).not.toContain("hunter2");
});
