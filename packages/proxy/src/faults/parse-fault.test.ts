import { UsageError } from "@assay/protocol/assay-error";
import { describe, expect, test } from "vitest";
import { faultNames } from "./fault-table.ts";
import { parseFault } from "./parse-fault.ts";

const selected = (text: string) => {
  const { targets, share, times } = parseFault(text);
  return { targets: [...targets], share, times };
};

test.each(faultNames)("%s works without a value and affects operations, but not the card", (name) => {
  const { targets, share } = parseFault(name);
  expect(targets.size).toBeGreaterThan(0);
  expect([targets.has("card"), share]).toEqual([false, 1]);
});

test.each([
  ["status=503@GetTask:0.2", ["GetTask"], 0.2, Number.POSITIVE_INFINITY],
  ["cut=3@SendStreamingMessage", ["SendStreamingMessage"], 1, Number.POSITIVE_INFINITY],
  ["cut=2s@subscribetotask:1x", ["SubscribeToTask"], 1, 1],
  ["latency@card+GetTask:3x", ["card", "GetTask"], 1, 3],
  ["lag=300ms@.5", ["GetTask", "ListTasks"], 0.5, Number.POSITIVE_INFINITY],
  ["refuse=1s@CancelTask", ["CancelTask"], 1, 1],
  ["skew=-5m@GetTask", ["GetTask"], 1, Number.POSITIVE_INFINITY],
])("%s", (text, targets, share, times) => {
  expect(selected(text)).toEqual({ targets, share, times });
});

describe("an error names the mistake and the next step", () => {
  test.each([
    ["", "names no fault", "latency=300ms"],
    ["=3", "names no fault", "--fault list"],
    ["latancy=3", 'unknown fault "latancy"', "Did you mean latency?"],
    ["earthquake", 'unknown fault "earthquake"', "Use one of latency,"],
    ["latency=fast", '"fast" is not a duration, such as 300ms', "--fault latency=1s"],
    ["latency=300", '"300" is not a duration', "--fault latency=1s"],
    ["status=200", '"200" is not an HTTP status from 400 to 599', "--fault status=503"],
    ["lose-header=Content-Length", "is not the name of a header other than Content-Length", "A2A-Version"],
    ["reset=1s", 'reset has no value, but "1s" is given', "Write --fault reset."],
    ["cut=0", '"0" is not a number of events', "--fault cut=1"],
    ["status@GetTasks", '"GetTasks" is not an operation', "Did you mean GetTask?"],
    ["cut@GetTask", '"GetTask" is not an operation that it can affect', "SendStreamingMessage, SubscribeToTask"],
    ["status@GetTask:2", '"2" is neither a share of the calls nor a number of calls', ":0.2"],
    ["status@GetTask:0", '"0" is neither', ":1x"],
    ["status@GetTask:0.5:1x", 'cannot read "@GetTask:0.5:1x"', "status=503@GetTask:0.2"],
    ["status@", "is not an operation that it can affect", "SendMessage"],
  ])("%s", (text, message, hint) => {
    let thrown: unknown;
    try {
      parseFault(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    const { message: said, hint: next } = thrown as UsageError;
    expect(said).toContain(message);
    expect(next).toContain(hint);
  });
});
