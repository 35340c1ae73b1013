import type { Binding } from "@assay/protocol";
import { checks, type TestOptions } from "@assay/suite";
import { afterAll, describe, expect, test } from "vitest";
import { line, prove, startFixtures } from "./proof/fixtures.ts";
import { tokenLogins } from "./proof/token-logins.case.ts";
import { provesAll } from "./proves-all.case.ts";

// Two callers of /secure and a third that may do less, by every kind of credential: whatever they log in by, the agent is
// examined to the same depth.

const bed = await startFixtures();
afterAll(() => bed.close(0));

const basic = (name: string): string => Buffer.from(`${name}:${name}-password`).toString("base64");
const headers = (write: (name: string) => readonly [string, string]) => async (): Promise<Partial<TestOptions>> => ({
  headers: [write("alice")],
  principals: { second: { headers: [write("bob")] }, restricted: { headers: [write("carol")] } },
});

interface Kind {
  /** what the operator says of the three */
  readonly logins: () => Promise<Partial<TestOptions>>;
  /** where they are known by it; `/secure` unless given */
  readonly path?: string;
  /** all, unless given */
  readonly bindings?: readonly Binding[];
  /** what is asked of the others is asked of it by `npm run prove` alone */
  readonly long?: true;
}

const overHttp: readonly Binding[] = ["JSONRPC", "HTTP+JSON"];
const everyBinding: readonly Binding[] = [...overHttp, "GRPC"];

const kinds: Readonly<Record<string, Kind>> = {
  "an API key": { logins: headers((name) => ["X-API-Key", `${name}-key`]) },
  "an API key in the address": {
    path: "variants/key-in-query",
    bindings: overHttp,
    logins: async () => ({
      headers: [],
      query: [["key", "alice-key"]],
      principals: {
        second: { headers: [], query: [["key", "bob-key"]] },
        restricted: { headers: [], query: [["key", "carol-key"]] },
      },
    }),
  },
  "an API key in a cookie": {
    path: "variants/key-in-cookie",
    bindings: overHttp,
    logins: headers((name) => ["Cookie", `agent-key=${name}-key`]),
    long: true,
  },
  Basic: { logins: headers((name) => ["Authorization", `Basic ${basic(name)}`]), long: true },
  // Which the proof of /secure shows in every other test.
  "an opaque Bearer token": { logins: headers((name) => ["Authorization", `Bearer ${name}-token`]), long: true },
  "OAuth client credentials": { logins: () => tokenLogins(bed) },
};

/** What is about callers, and what keeps them apart. */
const isAboutCallers = (rule: string): boolean =>
  /^(AUTH-\d+|ERR-008|ERR-009|ERR-01[01]|PUSH-012|XCARD-00[37])$/.test(rule);
const aboutCallers = checks.map(({ id }) => id).filter(isAboutCallers);
const ofProduction = ["AUTH-001", "AUTH-002", "AUTH-003"];

/** On one binding each, in turn; with `npm run prove` on all. */
const rows = Object.entries(kinds)
  .filter(([, { long }]) => provesAll || !long)
  .flatMap(([kind, { logins, path = "secure", bindings = everyBinding }], index) => {
    const tried = provesAll ? bindings : [bindings[index % bindings.length]!];
    return tried.map((binding) => ({ kind, logins, path, binding }));
  });

describe.concurrent("callers of /secure", () => {
  test.each(rows)("by $kind, over $binding", { timeout: 120_000 }, async ({ logins, path, binding }) => {
    const { results, report } = await prove(bed, path, {
      base: "secure",
      binding,
      dialect: "1.0",
      ...(!provesAll && { only: aboutCallers }),
      more: await logins(),
    });
    expect(results.filter(({ verdict }) => verdict === "fail").map(line)).toEqual([]);
    expect(report.outcome).toBe("conformant");
    // Nothing of it is left out for want of a credential; what is asked of production deployments alone is said so.
    const left = results.filter(({ test: rule, verdict }) => isAboutCallers(rule) && verdict !== "pass");
    expect(left.filter(({ verdict }) => verdict !== "not-applicable").map(line)).toEqual([]);
    expect(left.map(({ test: rule }) => rule).filter((rule) => !ofProduction.includes(rule))).toEqual([]);
  });
});

/** Made of the user's own token, and given by the operator; `npm run prove` has all of them on every binding. */
const careless = ["unverified-token", "unsigned-token", "expired-token"];

describe.concurrent("an agent that does not look at tokens closely", () => {
  test.each(careless)("AUTH-007.%s is caught, and its tokens are nowhere to be read", async (id) => {
    const { results, events } = await prove(bed, `mutants/AUTH-007.${id}`, {
      base: "secure",
      only: ["AUTH-007"],
      binding: "JSONRPC",
      dialect: "1.0",
    });
    expect(results.map(({ verdict, message }) => [verdict, message])).toEqual([
      ["fail", expect.stringContaining("ListTasks is served with credentials that are no good: ")],
    ]);
    // A part of a token is what its claims are, and as good as the token to those who can sign.
    expect(JSON.stringify(events)).not.toMatch(/eyJ[\w-]{20,}/);
  });
});
