import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Licences of packages that we may build with and ship. */
const allowed = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0"];

/** Packages whose manifest names no licence, with the place where it is named. */
const stated: Readonly<Record<string, string>> = {
  // LICENSE in the package; tests run it as a third party, and nothing of it is shipped.
  "node_modules/a2a-sdk-0.2": "Apache-2.0",
  // `licenses` in its manifest, an older form; textlint reads Markdown with it, and nothing of it is shipped.
  "node_modules/format": "MIT",
};

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
}

/** Every name in an expression of SPDX: all of them have to be allowed, also where one may choose. */
const namesIn = (licence: string): string[] => licence.split(/\s+(?:AND|OR)\s+|[()]/).filter(Boolean);

test.each(["package-lock.json", "deploy/image/package-lock.json"])(
  "every package in %s has a licence that we may use",
  (file) => {
    const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
    const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
    expect(foreign.length).toBeGreaterThan(50);
    const bad = foreign
      .map(([path, { license }]) => ({ path, licence: license ?? stated[path] ?? "none" }))
      .filter(({ licence }) => !namesIn(licence).every((name) => allowed.includes(name)));
    expect(bad).toEqual([]);
  },
);
