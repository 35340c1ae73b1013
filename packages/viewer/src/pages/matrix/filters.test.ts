import { causesOf, scoreOf } from "@assay/matrix/view";
import { expect, test } from "vitest";
import { sampleMatrix } from "../../../../matrix/src/document/sample.fixture.ts";
import { filterIn, narrowed, queryOf } from "./filters.ts";

const matrix = sampleMatrix();
const causes = causesOf(matrix);
const causeOf = (cell: string) => causes.find(({ cells }) => cells.some(({ id }) => id === cell));
const everything = filterIn(new URLSearchParams());

test("an empty filter leaves everything, and has no place in the address", () => {
  expect(narrowed(matrix, everything, causeOf).cells).toEqual(matrix.cells);
  expect(queryOf(everything)).toEqual({});
});

test("a filter is kept in the address, and narrows to the cells that fit", () => {
  const { client } = matrix.cells[0]!;
  const filter = filterIn(new URLSearchParams(queryOf({ ...everything, client })));
  const { cells } = narrowed(matrix, filter, causeOf);
  expect(cells.length).toBeGreaterThan(0);
  expect(new Set(cells.map((cell) => cell.client))).toEqual(new Set([client]));
});

test("whose fault it is narrows to red cells of that cause", () => {
  const { whose } = causes[0]!;
  const { cells } = narrowed(matrix, { ...everything, fault: whose }, causeOf);
  expect(scoreOf(cells)).toMatchObject({ passed: 0 });
  expect(cells.length).toBeGreaterThan(0);
});

test("without known failures, nothing is left that is listed", () => {
  const { cells } = narrowed(
    { ...matrix, cells: matrix.cells.map((cell) => ({ ...cell, known: { driver: "a", role: "client", why: "w" } })) },
    { ...everything, fresh: "1" },
    causeOf,
  );
  expect(cells).toEqual([]);
});
