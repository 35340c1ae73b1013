import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { causes } from "#rules";
import { checks } from "../checks/index.ts";
import { breachCodes } from "./breach-codes.ts";
import { causesOf, ownerRank } from "./causes.ts";
import type { SeenIn } from "./severity.ts";

const here: SeenIn = { dialect: "1.0", set: "1.0.1-r1", binding: "JSONRPC" };
const owners = (
  rule: string,
  code: keyof typeof breachCodes,
  operation: "GetTask" | "GetExtendedAgentCard" | "ListTaskPushNotificationConfigs",
  where = here,
) => causesOf(rule, { code, operation }, where).map(({ owner, relation }) => `${owner} ${relation}`);

describe("the rows", () => {
  test("are those of the YAML", () => {
    const yaml = parse(readFileSync(new URL("causes.yaml", import.meta.url), "utf8")) as { rows: unknown };
    expect(causes).toEqual(yaml.rows);
  });

  test("name rules that have a check, and codes that there are", () => {
    const known = new Set(checks.map(({ id }) => id));
    const listed = causes.flatMap(({ owner, blocks = [], repeats = [] }) => [owner, ...blocks, ...repeats]);
    expect(listed.filter((entry) => !entry.endsWith("*") && !known.has(entry))).toEqual([]);
    expect(
      causes.flatMap(({ codes, maybe = [] }) => [...codes, ...maybe]).filter((code) => !(code in breachCodes)),
    ).toEqual([]);
  });

  test("say the cause and why its owner owns it", () => {
    expect(causes.filter(({ says, why }) => says.length < 15 || why.length < 20)).toEqual([]);
  });
});

describe("a breach", () => {
  test("with a code that no row names has no other owner", () => {
    expect(owners("GET-003", "other-error", "GetTask")).toEqual([]);
  });

  test("is blocked by the owner of its cause, or repeats it", () => {
    expect(owners("GET-003", "operation-not-served", "GetTask")).toContain("CAP-004 blocks");
    expect(owners("JSONRPC-005", "operation-not-served", "GetTask")).toContain("CAP-004 repeats");
  });

  test("whose code fits several causes belongs to an owner only where that saw the cause itself", () => {
    const rest: SeenIn = { ...here, binding: "HTTP+JSON" };
    expect(owners("GET-002", "page-not-found", "GetTask", rest)).toEqual(["CAP-004 repeats", "REST-027 blocks"]);
    expect(owners("REST-027", "page-not-found", "GetTask", rest)).toEqual(["CAP-004 repeats"]);
  });

  test("of an owner is given up only to owners further up in the table", () => {
    expect(owners("CAP-004", "operation-not-served", "GetTask")).toEqual([]);
    expect(owners("CAP-004", "operation-not-served", "GetExtendedAgentCard")).toEqual([
      "XCARD-001 repeats",
      "XCARD-002 repeats",
    ]);
    expect(ownerRank("XCARD-001")).toBeLessThan(ownerRank("CAP-004"));
    expect(ownerRank("GET-003")).toBe(causes.length);
  });

  test("over gRPC in 0.3 belongs to the rule that asks for every method", () => {
    const where: SeenIn = { dialect: "0.3", set: "0.3.0-r1", binding: "GRPC" };
    const missing = (rule: string, at = where) =>
      owners(rule, "operation-not-served", "ListTaskPushNotificationConfigs", at);
    expect(missing("GRPC-002")).toEqual([]);
    expect(missing("CAP-003")[0]).toBe("GRPC-002 repeats");
    expect(missing("CAP-003", { ...where, binding: "JSONRPC" })).toEqual([]);
  });

  test("has owners only where their row applies", () => {
    const grpc: SeenIn = { ...here, binding: "GRPC" };
    const in100 = owners("XCARD-001", "unnamed-old-status", "GetExtendedAgentCard", { ...grpc, set: "1.0.0-r1" });
    expect(in100).toEqual(["GRPC-012 blocks"]);
    expect(owners("XCARD-001", "unnamed-old-status", "GetExtendedAgentCard", grpc)).toEqual([]);
  });
});
