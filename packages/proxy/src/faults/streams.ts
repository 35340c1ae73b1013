import { isEventStream, isGrpc, type PassedAnswer } from "./answer.ts";
import type { Effect, FaultedCall } from "./effect.ts";
import { editEvents } from "./events.ts";

export const cut = (after: { readonly events: number } | { readonly ms: number }): Effect => ({
  answer(answer, call) {
    if ("ms" in after) return isStream(answer) ? { ...answer, body: until(answer.body, after.ms, call) } : answer;
    const { events } = after;
    let delivered = 0;
    const counted = editEvents(answer, (event) => {
      delivered += 1;
      return event ? [event] : [];
    });
    if (counted === answer) return answer;
    async function* shortened(): AsyncGenerator<Buffer> {
      for await (const piece of counted.body) {
        yield piece;
        if (delivered >= events) throw call.breakOff("close");
      }
    }
    return { ...answer, body: shortened() };
  },
});

const isStream = (answer: PassedAnswer): boolean => isEventStream(answer) || isGrpc(answer);

async function* until(body: AsyncIterable<Buffer>, ms: number, call: FaultedCall): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  // The wait rejects when the call has ended, and then no caller listens.
  const isOver = call.wait(ms).then(
    () => true as const,
    () => true as const,
  );
  for (;;) {
    const next = await Promise.race([chunks.next(), isOver]);
    if (next === true) throw call.breakOff("close");
    if (next.done) return;
    yield next.value;
  }
}

export const drop = (which: number): Effect => ({
  answer: (answer, call) =>
    editEvents(answer, (event, number) => {
      if (!event) return [];
      if (number !== which) return [event];
      call.hit();
      return [];
    }),
});

export const duplicate = (which: number): Effect => ({
  answer: (answer, call) =>
    editEvents(answer, (event, number) => {
      if (!event) return [];
      if (number !== which) return [event];
      call.hit();
      return [event, event];
    }),
});

export const reorder = (which: number): Effect => ({
  answer(answer, call) {
    let held: Buffer | undefined;
    return editEvents(answer, (event, number) => {
      if (event && number === which) {
        held = event;
        return [];
      }
      const late = held ? [held] : [];
      if (event && held) call.hit();
      held = undefined;
      return event ? [event, ...late] : late;
    });
  },
});
