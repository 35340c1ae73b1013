import { bytesOf, isEventStream, isGrpc } from "./answer.ts";
import type { Effect } from "./effect.ts";
import { editEvents } from "./events.ts";

const times = /("(?:timestamp|createdAt|lastModified)"\s*:\s*")(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/g;

/** Shifts a time by whole seconds, so that its length stays the same. An invalid time stays unchanged. */
function shifted(time: string, ms: number, write: (date: Date) => string): string {
  const at = Date.parse(time) + Math.round(ms / 1_000) * 1_000;
  return Number.isNaN(at) ? time : write(new Date(at));
}

const inJson = (bytes: Buffer, ms: number): Buffer =>
  Buffer.from(
    bytes
      .toString("latin1")
      .replace(
        times,
        (_all, name: string, time: string) => name + shifted(`${time}Z`, ms, (date) => date.toISOString()).slice(0, 19),
      ),
    "latin1",
  );

/** Shifts the Date header and the times in JSON. Times in gRPC messages stay unchanged. */
export const skew = (ms: number): Effect => ({
  answer(answer, call) {
    if (isGrpc(answer)) return answer;
    call.hit();
    const headers = answer.headers.map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === "date" ? shifted(value, ms, (date) => date.toUTCString()) : value,
    ]);
    if (isEventStream(answer)) return editEvents({ ...answer, headers }, (event) => (event ? [inJson(event, ms)] : []));
    async function* whole(): AsyncGenerator<Buffer> {
      yield inJson(await bytesOf(answer.body), ms);
    }
    return { ...answer, headers, body: whole() };
  },
});
