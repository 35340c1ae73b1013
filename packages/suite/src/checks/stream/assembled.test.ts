import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { looseEvent } from "../../answers/reading.ts";
import { assembled, stable, stored, whole } from "./assembled.ts";

const update = (artifactId: string, text: string, append?: boolean) =>
  looseEvent({
    is: "result",
    at: 0,
    bytes: 0,
    json: {
      artifactUpdate: {
        taskId: "t",
        contextId: "c",
        artifact: { artifactId, parts: [{ text }] },
        ...(append && { append }),
      },
    },
  })!;

const textsOf = (pieces: ReturnType<typeof assembled>) => [...pieces].map(([id, parts]) => [id, whole(parts)]);

test("chunks with append extend the artifact of their id, whatever comes in between", () => {
  const events = [update("a", "1"), update("b", "x"), update("a", "2", true), update("b", "y", true)];
  expect(textsOf(assembled(events))).toEqual([
    ["a", "12"],
    ["b", "xy"],
  ]);
});

test("an artifact that comes again without append is set anew", () => {
  expect(textsOf(assembled([update("a", "1"), update("a", "2")]))).toEqual([["a", "2"]]);
});

test("updates go on from what a snapshot had", () => {
  const snapshot: JsonObject[] = [{ artifactId: "a", parts: [{ text: "0" }] }];
  expect(textsOf(assembled([update("a", "1", true)], snapshot))).toEqual([["a", "01"]]);
});

test("how an artifact is cut into parts makes no difference", () => {
  const kept = stored([{ artifactId: "a", parts: [{ text: "1" }, { text: "2" }] }]);
  expect(whole(kept.get("a"))).toBe(whole(assembled([update("a", "12")]).get("a")));
});

test("JSON is the same in whichever order its members stand", () => {
  expect(stable({ b: [1, { d: null, c: "x" }], a: true })).toBe(stable({ a: true, b: [1, { c: "x", d: null }] }));
});
