import { createMasker } from "@assay/wire";
import { expect, test } from "vitest";
import { result } from "../report/run.fixture.ts";
import { maskedEvent } from "./masked-event.ts";

test("a secret is masked at both ends of a comparison", () => {
  const compared = {
    part: "request",
    ends: [
      { end: "client", exchanges: ["x1"], shows: "X-Key: s3cret-value" },
      { end: "agent", exchanges: [] },
    ],
  } as const;
  const masker = createMasker([{ name: "key", value: "s3cret-value" }]);
  const masked = maskedEvent({ event: "check-finished", result: { ...result("CARD-001"), compared } }, masker);
  expect(masked).toMatchObject({
    result: { compared: { ends: [{ shows: "X-Key: «secret:key»" }, { end: "agent", exchanges: [] }] } },
  });
  expect(JSON.stringify(masked)).not.toContain("s3cret");
});
