import { expect, test } from "vitest";
import { readAddress, shownAddress } from "./address.ts";

test.each([
  ["sqlite:tasks.db", "sqlite:tasks.db"],
  ["sqlite:/var/lib/assay/tasks.db", "sqlite:/var/lib/assay/tasks.db"],
  ["sqlite:///var/lib/assay/tasks.db", "sqlite:/var/lib/assay/tasks.db"],
  ["sqlite:C:\\assay\\tasks.db", "sqlite:C:\\assay\\tasks.db"],
  ["sqlite:///C:/assay/tasks.db", "sqlite:C:/assay/tasks.db"],
  [
    "postgres://assay:s3cret@db.example.com:5433/bed?password=s3cret&sslmode=require",
    "postgres://assay@db.example.com:5433/bed",
  ],
  ["postgresql://db.example.com/bed", "postgres://db.example.com/bed"],
])("%s is shown as %s", (given, shown) => {
  expect(shownAddress(readAddress(given))).toBe(shown);
});

test.each(["", "sqlite:", "tasks.db", "mysql://root:s3cret@host/db", "postgres://assay:s3cret@host:port/db"])(
  "%j is no address of a database, and is not repeated",
  (given) => {
    expect(() => readAddress(given)).toThrow(
      "A database address is sqlite:<file> or postgres://<user>@<host>/<database>",
    );
  },
);
