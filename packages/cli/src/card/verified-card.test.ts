import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, parseJson } from "@assay/protocol";
import { canonicalJson, signedMembers } from "@assay/protocol/signature";
import { expect, test } from "vitest";
import { paperScreen } from "../screen.fixture.ts";
import { trustedKeys } from "./card-keys.ts";
import { cardInFile } from "./card-source.ts";
import { verifiedCard } from "./verified-card.ts";

const folder = join(import.meta.dirname, "../../../../docs/signed-cards");
const read = (file: string): JsonObject => parseJson(readFileSync(join(folder, file), "utf8")) as JsonObject;
interface Vector {
  readonly card: string;
  readonly verifies: boolean;
  readonly code: string;
  readonly canonical: string;
}
const { vectors, keys } = read("index.json") as unknown as { vectors: readonly Vector[]; keys: string };
const resolve = trustedKeys(join(folder, keys), undefined, {}, paperScreen());

test.each(vectors)("$card: $code", async ({ card, verifies, code, canonical }) => {
  const source = cardInFile(join(folder, card));
  const { is, signatures } = await verifiedCard(source, resolve);
  // Assay cannot judge an extension that it does not know.
  expect(is).toBe(verifies ? "verified" : code === "unsupported-crit" ? "unknown" : "failed");
  if (code === "no-signature") expect(signatures).toEqual([]);
  else expect(signatures.map((each) => each.code)).toContain(code);
  expect(canonicalJson(signedMembers(source.json, { unknown: "keep" }))).toBe(canonical);
});

test("the index lists every card, and every algorithm has a good one", () => {
  const listed = [...vectors.map(({ card }) => card), keys, "index.json"];
  expect(readdirSync(folder).toSorted()).toEqual(listed.toSorted());
  const algorithms = (read(keys)["keys"] as { alg: string; kid: string }[]).map(({ alg }) => alg);
  expect(algorithms).toEqual(["ES256", "ES384", "ES512", "RS256", "PS256", "EdDSA"]);
  expect(vectors.map(({ card }) => card)).toEqual(expect.arrayContaining(algorithms.map((alg) => `good-${alg}.json`)));
});

test("the keys say that they are test keys, and are public", () => {
  for (const key of read(keys)["keys"] as JsonObject[]) {
    expect(key["kid"]).toMatch(/^assay-test-key-do-not-trust-/);
    expect(key).not.toHaveProperty("d");
  }
});
