import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Licences of packages that Assay ships or builds with. */
const allowed = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0"];
/** Permissive licences that only development tools use, such as the prose check and the docs site. */
const allowedInDevelopment = [...allowed, "CC0-1.0"];

/** Packages whose manifest names no licence, with where it stands. */
const stated: Readonly<Record<string, string>> = {
  // LICENSE in the package; tests run it as a third party, and nothing of it is shipped.
  "node_modules/a2a-sdk-0.2": "Apache-2.0",
  // Readme.md of the package
  "node_modules/format": "MIT",
};

interface Locked {
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** Every name in an expression of SPDX: all of them have to be allowed, also where one may choose. */
const namesIn = (licence: string): string[] => licence.split(/\s+(?:AND|OR)\s+|[()]/).filter(Boolean);

test.each(["package-lock.json", "deploy/image/package-lock.json"])(
  "every package in %s has an allowed licence",
  (file) => {
    const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
    const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
    expect(foreign.length).toBeGreaterThan(50);
    const bad = foreign
      .map(([path, { license, dev }]) => ({ path, licence: license ?? stated[path] ?? "none", dev }))
      .filter(({ licence, dev }) => {
        const permitted = dev ? allowedInDevelopment : allowed;
        return !namesIn(licence).every((name) => permitted.includes(name));
      });
    expect(bad).toEqual([]);
  },
);
