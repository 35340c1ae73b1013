import { afterAll, afterEach, beforeAll } from "vitest";
import { listen } from "./listen.ts";
import { Recorder } from "./recorder.ts";

/** Part of `npm run generate -- recordings`: whatever is judged while the tests of a file run may become a recording. */

const heard = listen();
const recorder = new Recorder(heard.unheard);

beforeAll(async () => {
  const { stale } = await recorder.open();
  for (const name of stale) process.stderr.write(`no longer true, and removed: ${name}\n`);
}, 120_000);

let writing = Promise.resolve();
const write = (): Promise<void> => {
  const all = heard.take();
  writing = writing.then(async () => {
    for (const one of all) await recorder.add(one);
  });
  return writing;
};

afterEach(write, 120_000);

afterAll(async () => {
  await write();
  recorder.close();
}, 120_000);
