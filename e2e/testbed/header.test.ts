import { testbedHeader } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { plain, sending, useTestbed, written } from "../fixtures/testbed.fixture.ts";

// Assay recognizes its test bed by this header. Without it, Assay tests the agent like any other.

const bed = useTestbed();
const names = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
const header = testbedHeader.toLowerCase();

/** Agents whose card requires credentials. */
const mayHide = ["mutants/V03-CARD-016.guarded"];

const agents = ["spec", "echo", "full", "strict", "minimal", "secure", "spec03", "spec02", "spec01", "full@0.3"];

/** Returns the responses on the way to the card in which the header is missing or unexpected. */
async function faultsAt(agent: string): Promise<string[]> {
  const faults: string[] = [];
  for (const name of names) {
    const { status, headers } = await plain(`${bed.url}/${agent}${name}`);
    const isCard = status === 200;
    if (headers[header] !== (isCard ? "1" : undefined)) faults.push(`/${agent}${name} ${status}: ${headers[header]}`);
    if (isCard) return faults;
  }
  return [...faults, ...(mayHide.includes(agent) ? [] : [`/${agent} shows no card`])];
}

async function familyOf(name: "mutants" | "variants"): Promise<string[]> {
  const { text } = await plain(`${bed.url}/${name}`);
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => `${name}/${id}`);
}

/** Returns the problems of many agents, and examines a few at a time. */
async function faultsOf(all: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) faults.push(...(await faultsAt(agent)));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return faults;
}

describe("the header of the test bed", () => {
  test("is in the card response of every agent and in no other response", async () => {
    expect(await faultsOf(agents)).toEqual([]);
    for (const path of ["", "/", "/spec", "/spec/", "/spec01"])
      expect(await plain(`${bed.url}${path}`)).toMatchObject({ status: 200, headers: { [header]: "1" } });
  });

  /** `npm test` looks at one in four, `npm run prove` at all of them. */
  test.each(["mutants", "variants"] as const)("is in the card response of all %s", async (family) => {
    const members = await familyOf(family);
    expect(members.length).toBeGreaterThan(100);
    expect(await faultsOf(members.filter((_, place) => provesAll || place % 4 === 0))).toEqual([]);
  });

  test("is in responses to HEAD and in 304, beside the headers for caches and browsers", async () => {
    const url = `${bed.url}/full${names[0]}`;
    const { headers } = await plain(url, { headers: { Origin: "https://pages.example" } });
    const kept = {
      [header]: "1",
      etag: headers.etag,
      "last-modified": headers["last-modified"],
      "cache-control": "public, max-age=60",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": headers["access-control-expose-headers"],
    };
    expect(headers).toMatchObject(kept);
    const unchanged = await plain(url, { headers: { "If-None-Match": headers.etag! } });
    expect([unchanged.status, unchanged.headers]).toEqual([304, expect.objectContaining(kept)]);
    expect((await plain(url, { method: "HEAD" })).headers).toMatchObject(kept);
  });

  test("is not in responses to preflights or operations", async () => {
    const preflight = await plain(`${bed.url}/full${names[0]}`, {
      method: "OPTIONS",
      headers: { Origin: "https://pages.example", "Access-Control-Request-Method": "GET" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
    expect(preflight.headers[header]).toBeUndefined();
    for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
      const sent = written(`${bed.url}/spec`, binding, "SendMessage", sending("message-only hi"));
      const { status, headers } = await plain(sent.url, sent.plain);
      expect([status, headers[header]]).toEqual([200, undefined]);
    }
  });
});
