import { describe, expect, test } from "vitest";
import { readSettings } from "../../bench/src/soak/settings.ts";

describe("settings of npm run prove -- soak", () => {
  test("defaults are those of a whole soak", () => {
    const { load, stores, abuseSeconds } = readSettings([], {});
    expect(load).toMatchObject({ minutes: 10, streams: 500, subscribers: 200 });
    expect([stores, abuseSeconds]).toEqual([["memory", "sqlite", "postgres"], 20]);
  });

  test("flags win over the environment", () => {
    const env = { SOAK_MINUTES: "2", SOAK_STORES: "sqlite" };
    const { load, stores } = readSettings(["--minutes", "3"], env);
    expect([load.minutes, stores]).toEqual([3, ["sqlite"]]);
  });

  test.each([
    ["--minutes", "soon"],
    ["--streams", "0"],
    ["--stores", "redis"],
  ])("%s %s is refused", (flag, value) => {
    expect(() => readSettings([flag, value], {})).toThrow(`${flag} ${value}`);
  });
});
