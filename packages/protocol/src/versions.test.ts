import { describe, expect, test } from "vitest";
import { readExtensions, requestedVersion } from "./versions.ts";

describe("the version a request asks for", () => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, "0.3"],
    ["", "0.3"],
    ["  ", "0.3"],
    ["\t", "0.3"],
    ["0.3", "0.3"],
    ["0.3.0", "0.3"],
    ["1.0", "1.0"],
    ["1.0.0", "1.0"],
    ["1.0.7", "1.0"],
    [" 1.0 ", "1.0"],
    ["1.1", "1.1"],
    ["2.0", "2.0"],
    ["0.9", "0.9"],
    ["10.20.30", "10.20"],
    ["1", undefined],
    ["v1.0", undefined],
    ["1.0.0.0", undefined],
    ["1.", undefined],
    [".0", undefined],
    ["1.x", undefined],
    ["1.0-beta", undefined],
    ["1.0.0-rc.1", undefined],
    ["1. 0", undefined],
    ["1.0, 0.3", undefined],
    ["-1.0", undefined],
    ["latest", undefined],
    ["١.٠", undefined],
    ["1.0\n0.3", undefined],
    [`1.${"0".repeat(100_000)}`, undefined],
  ])("%j is read as %j", (value, version) => {
    expect(requestedVersion(value)).toBe(version);
  });
});

describe("the extensions a request names", () => {
  test.each<[string | undefined, string[]]>([
    [undefined, []],
    ["", []],
    [" , ,", []],
    ["https://a.example/x", ["https://a.example/x"]],
    ["https://a.example/x,https://b.example/y", ["https://a.example/x", "https://b.example/y"]],
    ["  https://a.example/x ,\thttps://b.example/y,", ["https://a.example/x", "https://b.example/y"]],
    ["urn:b, urn:a, urn:b", ["urn:b", "urn:a"]],
    ["urn:A, urn:a", ["urn:A", "urn:a"]],
  ])("%j names %j", (value, uris) => {
    expect(readExtensions(value)).toEqual(uris);
  });
});
