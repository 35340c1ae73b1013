import type { JsonValue } from "@assay/protocol";
import { expect, test } from "vitest";
import { snakeCased } from "./snake-cased.ts";

test.each<[string, JsonValue, string | undefined]>([
  ["camelCase", { statusUpdate: { taskId: "1", contextId: "2" } }, undefined],
  ["the event itself", { status_update: {} }, "status_update"],
  ["deep inside", { task: { artifacts: [{ artifact_id: "1", parts: [] }] } }, "artifact_id"],
  ["metadata, which belongs to others", { task: { metadata: { task_id: "1" } } }, undefined],
  [
    "data, which belongs to others",
    { artifactUpdate: { artifact: { parts: [{ data: { task_id: "1" } }] } } },
    undefined,
  ],
  ["members that nobody knows", { task: { x_vendor_thing: 1 } }, undefined],
])("members of the protocol in snake_case are found: %s", (_where, json, found) => {
  expect(snakeCased(json)).toBe(found);
});
