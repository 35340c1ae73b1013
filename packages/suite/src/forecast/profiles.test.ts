import { expect, test } from "vitest";
import { profiles } from "#profiles";
import { type AbilityId, abilities } from "./abilities.ts";
import { measuredValues } from "./profile.ts";

test("the package has at least 12 profiles, each of one version with its day", () => {
  expect(profiles.length).toBeGreaterThanOrEqual(12);
  const named = profiles.map(({ client }) => `${client.name} ${client.version}`);
  expect(new Set(named).size).toBe(named.length);
  for (const { client, measured } of profiles) {
    expect(client.version).toMatch(/^\d+\.\d+/);
    expect(measured).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
});

test("a profile is small, names known abilities and values, and nothing of the machine it was measured on", () => {
  for (const profile of profiles) {
    const text = JSON.stringify(profile);
    expect(text.length).toBeLessThan(10_000);
    expect(text).not.toMatch(/127\.0\.0\.1:\d|\/home\/|\/tmp\/|\/work\//);
    for (const [id, rows] of Object.entries(profile.abilities)) {
      expect(abilities[id as AbilityId]).toBeDefined();
      for (const { is, on } of rows) {
        expect(measuredValues).toContain(is);
        expect(on.length).toBeGreaterThan(0);
      }
    }
  }
});

test("every value other than yes has its evidence", () => {
  const rows = profiles.flatMap(({ abilities: measured }) => Object.values(measured).flat());
  expect(rows.filter(({ is, saw }) => is !== "yes" && !saw)).toEqual([]);
});
