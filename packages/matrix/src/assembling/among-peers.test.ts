import { expect, test } from "vitest";
import { failedCell } from "../document/cell.fixture.ts";
import type { Cell } from "../document/cell.ts";
import { amongPeers } from "./among-peers.ts";

test("a red cell says how many clients fail so at its server, and at how many servers its client does", () => {
  const cell = (client: string, server: string, code?: "late" | "no-error"): Cell => {
    const { failure, ...made } = failedCell(
      [],
      { op: "get" },
      { code: code ?? "late", onTheWire: "fails" },
      { client, server },
    );
    return code === undefined ? { ...made, outcome: "passed" } : { ...made, failure: failure! };
  };
  const red = cell("one", "two", "late");
  const elsewhere = { ...cell("four", "two", "late"), binding: "GRPC" } as const;
  const cells = [red, cell("two", "two", "late"), cell("three", "two", "no-error"), cell("one", "three"), elsewhere];
  expect(amongPeers(cells)(red)?.says).toBe(
    "in this scenario over this wire, 2 of the 3 clients fail this way at two, and one fails this way at 1 of 2 servers",
  );
  expect([cells[3]!, elsewhere].map(amongPeers(cells))).toEqual([undefined, undefined]);
});
