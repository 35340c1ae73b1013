import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type OpenStream, OpenStreams } from "./open-streams.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stream = (): OpenStream & { comments: number } => ({
  ahead: undefined,
  behind: undefined,
  shutDown() {},
  quietTicks: 0,
  comments: 0,
  keepAlive() {
    this.comments++;
  },
});

test("a silent stream is kept alive once in each period, one that writes is not", () => {
  const streams = new OpenStreams(800);
  const [silent, busy] = [stream(), stream()];
  streams.add(silent);
  streams.add(busy);
  for (let passed = 0; passed < 2_400; passed += 100) {
    busy.quietTicks = 0;
    vi.advanceTimersByTime(100);
  }
  expect([silent.comments, busy.comments]).toEqual([3, 0]);
});

test("a stream that ended gets nothing, and without streams there is no timer", () => {
  const streams = new OpenStreams(800);
  const ended = stream();
  streams.add(ended);
  streams.delete(ended);
  vi.advanceTimersByTime(2_400);
  expect([ended.comments, vi.getTimerCount()]).toEqual([0, 0]);
  streams.add(ended);
  vi.advanceTimersByTime(800);
  expect(ended.comments).toBe(1);
});
