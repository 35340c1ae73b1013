import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { addressOf, type Command, commands, gallery } from "@assay/agents/gallery";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { assay, wantedOf } from "./told.fixture.ts";

// Pointed at one of these, Assay says what is there, and what to do.

let bed: Testbed;
// Commands read and write in the folder they are called in.
const home = process.cwd();
beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-gallery-")));
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02 });
});
afterAll(async () => {
  process.chdir(home);
  await bed.close(0);
});

const typedFor = (address: string): string =>
  address.startsWith("/") ? `${bed.url}${address}` : address.replace("{port}", String(bed.port));

/** `npm test` shows every fourth exhibit to one command, in turn. */
const shownTo = (place: number): readonly Command[] => (provesAll ? commands : [commands[place % commands.length]!]);

describe.each(sampleOf(gallery, 4).map((exhibit, place) => ({ ...exhibit, place })))("$id", ({ place, ...exhibit }) => {
  test.each(shownTo(place))("assay %s", async (command) => {
    const typed = typedFor(addressOf(exhibit));
    const heard = await assay(command, typed, exhibit.flags);
    const wanted = wantedOf(exhibit, command, typed);
    expect({ exit: heard.exit, says: heard.said, fix: heard.all }).toEqual({
      exit: wanted.exit,
      says: expect.stringContaining(wanted.says),
      fix: expect.stringContaining(wanted.fix),
    });
  });
});

// What stands in the place of the agent says so to a stream as well.
const instead = ["endpoint-404", "endpoint-html", "endpoint-401", "endpoint-402", "mcp-server", "older-methods"];
test.each(sampleOf(instead, 3).flatMap((id) => gallery.filter((exhibit) => exhibit.id === id)))(
  "$id: assay send --stream",
  async (exhibit) => {
    const typed = typedFor(addressOf(exhibit));
    const { exit, said } = await assay("send", typed, ["--stream", ...(exhibit.flags ?? [])]);
    const wanted = wantedOf(exhibit, "send", typed);
    expect({ exit, said }).toEqual({ exit: wanted.exit, said: expect.stringContaining(wanted.says) });
  },
);

test("GET /gallery lists every exhibit, with what it asks to be said", async () => {
  const answer = await fetch(`${bed.url}/gallery`);
  const listed = (await answer.json()) as { id: string; address: string; what: string; says: unknown; exit: unknown }[];
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(listed.map(({ id, address, what, says, exit }) => ({ id, address, what, says, exit }))).toEqual(
    gallery.map((exhibit) => ({
      id: exhibit.id,
      address: addressOf(exhibit),
      what: exhibit.what,
      says: exhibit.says,
      exit: exhibit.exit,
    })),
  );
});

test("what is not exhibited is not found", async () => {
  const answers = ["/gallery/nothing-of-the-kind", "/gallery/card-401/elsewhere"].map((path) =>
    fetch(`${bed.url}${path}`),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404]);
});

test("each has an id and a sentence of its own", () => {
  const ids = gallery.map(({ id }) => id);
  expect(ids.length).toBe(new Set(ids).size);
  expect(new Set(gallery.map(({ what }) => what)).size).toBe(gallery.length);
  expect(gallery.filter(({ what }) => !/^[A-Z].*[^.]\.$/.test(what))).toEqual([]);
});

test.each(gallery.filter(({ exit }) => exit !== 0))("$id says what to do", ({ fix }) => {
  expect(fix).toMatch(/\S/);
});
