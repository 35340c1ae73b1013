import type { JsonObject } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import { expect, test } from "vitest";
import type { LooseTask } from "../answers/reading.ts";
import { taskDifference } from "./same-task.ts";

const taskOf = (part: JsonObject): LooseTask =>
  ({
    json: {
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a1", parts: [part] }],
    },
  }) as unknown as LooseTask;

const file = { raw: "aGk=", filename: "f.bin", mediaType: "application/x-odd" };
const differs = (binding: string, part: JsonObject): string | undefined =>
  taskDifference("artifacts", taskOf(file), taskOf(part), { binding, dialect: "0.3" } as unknown as PeerInterface);

test("the name of a file is compared over JSON-RPC, because agents without a patch cannot write it elsewhere", () => {
  const { filename: _, ...unnamed } = file;
  expect(differs("JSONRPC", unnamed)).toContain("filename");
  expect(differs("HTTP+JSON", unnamed)).toBeUndefined();
  expect(differs("GRPC", unnamed)).toBeUndefined();
});

test("the media type of a file is compared over every binding, without its parameters", () => {
  const { mediaType: _, ...untyped } = file;
  for (const binding of ["JSONRPC", "HTTP+JSON", "GRPC"]) {
    expect(differs(binding, untyped)).toContain("mediaType");
    expect(differs(binding, { ...file, mediaType: "Application/X-Odd; version=1" })).toBeUndefined();
  }
});
