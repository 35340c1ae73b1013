import { UsageError } from "@assay/protocol/assay-error";
import { clientFailureCodes, surfacedErrorKinds } from "@assay/scenarios";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import schema from "../../schemas/matrix.schema.json" with { type: "json" };
import { trimmed } from "../assembling/trim.ts";
import { causeKinds } from "../causes/matrix-cause.ts";
import { blamed } from "./blame.ts";
import { cellOutcomes } from "./cell.ts";
import type { MatrixDocument } from "./document.ts";
import { readMatrix } from "./read-document.ts";
import { sampleMatrix } from "./sample.fixture.ts";
import { evidenceOf, sealed } from "./seal.ts";

const isMatrix = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

/** The sample with valid seals. */
function sealedSample(): MatrixDocument {
  const matrix = sampleMatrix();
  const version = matrix.tool.version;
  const packageOf = (name: string) => {
    const driver = matrix.drivers.find((each) => each.name === name)!;
    return { package: driver.package, version: driver.version, command: ["program"] };
  };
  return {
    ...matrix,
    cells: matrix.cells.map(({ seal: _, ...cell }) =>
      sealed(
        {
          ...cell,
          seal: {
            client: packageOf(cell.client),
            server: packageOf(cell.server),
            suite: { version, scenarios: "sha256:s" },
            at: matrix.startedAt,
          },
        },
        evidenceOf(cell, matrix.exchanges),
      ),
    ),
  };
}

test.each([
  ["whole", sealedSample()],
  ["trimmed", trimmed(sealedSample())],
])("the schema knows a document that is %s", (_, matrix) => {
  isMatrix(JSON.parse(JSON.stringify(matrix)));
  expect(isMatrix.errors ?? []).toEqual([]);
  expect(readMatrix(JSON.stringify(matrix))).toEqual(JSON.parse(JSON.stringify(matrix)));
});

test("the schema has the words of the code", () => {
  const { cell, step, failure, blame, cause } = schema.$defs;
  expect(cell.properties.outcome.enum).toEqual([...cellOutcomes]);
  expect(failure.properties.code.enum).toEqual([...clientFailureCodes]);
  expect(step.properties.answer.properties.error.properties.kind.enum).toEqual([...surfacedErrorKinds]);
  expect(blame.properties.whose.enum).toEqual([...blamed]);
  expect(cause.properties.kind.enum).toEqual([...causeKinds]);
});

test.each<[string, (matrix: MatrixDocument) => unknown, string]>([
  [
    "a cell whose outcome was changed",
    (matrix) => ({ ...matrix, cells: matrix.cells.map((cell) => ({ ...cell, outcome: "passed" })) }),
    "its content was changed after it was sealed",
  ],
  [
    "an exchange that was changed",
    (matrix) => ({
      ...matrix,
      exchanges: Object.fromEntries(
        Object.entries(matrix.exchanges).map(([id, exchange]) => [id, { ...exchange, operation: "CancelTask" }]),
      ),
    }),
    "its exchanges differ from those it was sealed with",
  ],
  [
    "a driver of another version",
    (matrix) => ({ ...matrix, drivers: matrix.drivers.map((driver) => ({ ...driver, version: "9.9.9" })) }),
    "but the document has",
  ],
  [
    "another version of Assay",
    (matrix) => ({ ...matrix, tool: { ...matrix.tool, version: "9.9.9" } }),
    "but the document by 9.9.9",
  ],
  ["another format", (matrix) => ({ ...matrix, format: 2 }), "it is not a matrix document of format 1"],
])("%s is refused", (_, change, because) => {
  const text = JSON.stringify(change(sealedSample()));
  expect(() => readMatrix(text)).toThrow(UsageError);
  expect(() => readMatrix(text)).toThrow(because);
});
