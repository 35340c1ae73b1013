import type { Exchange } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { judgeCard } from "./judge-card.ts";
import { steadyDifferences } from "./samples.ts";

const [direct, through] = ["http://127.0.0.1:9000", "https://gw.example.com/agent"];

const card = (url: string, more: object = {}) => ({
  name: "Agent",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  ...more,
});

const served = (json: object, headers: [string, string][] = []): Exchange =>
  ({
    id: "x1",
    http: {
      request: { body: new Uint8Array() },
      response: { status: 200, headers, body: Buffer.from(JSON.stringify(json)) },
    },
  }) as unknown as Exchange;

/** Judges a card as both paths serve it, and lists what is not preserved. */
function judged(ours: Exchange, theirs: Exchange): Record<string, string> {
  const compared = { direct: [ours, ours], through: [theirs], differences: steadyDifferences([ours, ours], [theirs]) };
  const judgements = [...judgeCard(compared, direct, through)].map(([id, { is }]) => [id.replace("GW-CARD-", ""), is]);
  return Object.fromEntries(judgements.filter(([, is]) => is !== "preserved")) as Record<string, string>;
}

const signed = { signatures: [{ protected: "p", signature: "s" }] };
const cached: [string, string][] = [
  ["Cache-Control", "max-age=60"],
  ["ETag", '"1"'],
];

describe("a signed card with caching headers", () => {
  const ours = served(card(`${through}/rpc`, { skills: [{ id: "a" }], ...signed }), cached);
  const behind = (more: object, headers = cached, url = `${through}/rpc`): Exchange =>
    served(card(url, { skills: [{ id: "a" }], ...signed, ...more }), headers);

  test.each([
    ["unchanged", behind({}), {}],
    ["without a member", behind({ skills: undefined }), { MEMBERS: "broken", SIGNATURE: "broken" }],
    ["with another member", behind({ more: 1 }), { MEMBERS: "changed", SIGNATURE: "broken" }],
    ["with other addresses", behind({}, cached, `${through}/other`), { SIGNATURE: "broken" }],
    ["without signatures", behind({ signatures: undefined }), { SIGNATURE: "changed" }],
    ["with another signature", behind({ signatures: [{ signature: "t" }] }), { SIGNATURE: "changed" }],
    ["without caching headers", behind({}, []), { CACHING: "changed" }],
    [
      "with the address of the agent",
      behind({}, cached, `${direct}/rpc`),
      { ADDRESSES: "broken", SIGNATURE: "broken" },
    ],
    [
      "with another host",
      behind({}, cached, "https://other.example/rpc"),
      { ADDRESSES: "not-examined", SIGNATURE: "broken" },
    ],
    ["without interfaces", behind({ supportedInterfaces: [] }), { ADDRESSES: "broken", SIGNATURE: "broken" }],
  ])("%s", (_, theirs, expected) => {
    expect(judged(ours, theirs)).toEqual(expected);
  });
});

test("an agent may write and sign a card for each address", () => {
  const ours = served(card(`${direct}/rpc`, signed), cached);
  const theirs = served(card(`${through}/rpc`, { signatures: [{ signature: "t" }] }), [["ETag", '"2"'], cached[0]!]);
  expect(judged(ours, theirs)).toEqual({ SIGNATURE: "not-examined" });
});

test("a gateway may write a public name into every address of the agent", () => {
  const addresses = (url: string) => card(`${url}/rpc`, { provider: { url }, documentationUrl: `${url}/docs` });
  const ours = served(addresses(direct), cached);
  const behind = (more: object) => served({ ...addresses("https://public.example"), ...more }, cached);
  const moved = { ADDRESSES: "not-examined", SIGNATURE: "not-examined" };
  expect(judged(ours, behind({}))).toEqual({ ...moved, MEMBERS: "changed" });
  expect(judged(ours, behind({ name: "Other" }))).toEqual({ ...moved, MEMBERS: "broken" });
  expect(judged(ours, behind({ documentationUrl: "none" }))).toEqual({ ...moved, MEMBERS: "broken" });
});

test("nothing about a card is green that the agent does not have", () => {
  const ours = served(card(`${through}/rpc`));
  expect(judged(ours, ours)).toEqual({ SIGNATURE: "not-examined", CACHING: "not-examined" });
});
