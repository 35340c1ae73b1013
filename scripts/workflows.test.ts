import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
// @ts-expect-error: the scripts are plain JavaScript
import { manifestOf } from "./pack/manifest.mjs";

interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    {
      readonly needs?: string | readonly string[];
      readonly permissions?: object;
      readonly strategy?: { readonly matrix: { readonly proof: readonly string[] } };
    }
  >;
}

const folder = ".github/workflows";
const texts = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const workflows = Object.entries(texts).map(([name, text]) => ({ ...(parse(text) as Workflow), name, text }));
const scripts = readdirSync("scripts", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => readFileSync(join("scripts", file), "utf8"))
  .join("\n");

const pathsIn = (text: string, start: RegExp) =>
  [...text.matchAll(start)].map(([path]) => path.replace(/^\.\//, "").replace(/[*/.]+$/, ""));

test.each(workflows)("every path of the repository that $name names exists", ({ text }) => {
  const named = pathsIn(text, /(?<![\w/$-])(?:\.\/)?(?:\.github|deploy|docs|e2e|packages|scripts|sdks)\/[\w./-]+/g);
  expect(named.filter((path) => !existsSync(path) && !existsSync(`${path}.test.ts`))).toEqual([]);
});

test.each(workflows)("every file of dist that $name names is made by a script", ({ text }) => {
  const named = pathsIn(text, /(?<![\w-])dist\/[\w.-]+/g).map((path) => path.slice("dist/".length));
  // `npm run pack` and `npm run binary` name their files after version and platform; sbom.cdx.json is copied from dist/package.
  const isMade = (name: string) => scripts.includes(`dist/${name}`) || scripts.includes(`"${name}"`);
  expect(named.filter((name) => !isMade(name))).toEqual([]);
});

test("the release names paths and files, so that the tests above can fail", () => {
  const text = texts["release.yml"]! + texts["matrix.yml"]!;
  expect(pathsIn(text, /dist\/[\w.-]+/g).length).toBeGreaterThan(5);
  expect(text).toContain("-C packages/suite profiles");
});

test.each(workflows)("$name may write nothing, unless a job says so", ({ permissions }) => {
  expect(permissions).toEqual({ contents: "read" });
});

test("a release publishes nothing before all parts are built and all tests pass", () => {
  const { jobs } = workflows.find(({ name }) => name === "release.yml")!;
  const neededBy = (job: string): string[] =>
    [jobs[job]!.needs ?? []].flat().flatMap((name) => [name, ...neededBy(name)]);
  const publishing = ["publish", "publish-image"];
  expect(Object.keys(jobs).filter((name) => JSON.stringify(jobs[name]!.permissions ?? {}).includes("write"))).toEqual(
    publishing,
  );
  const building = Object.keys(jobs).filter((name) => !publishing.includes(name));
  for (const job of publishing) expect(neededBy(job)).toEqual(expect.arrayContaining(building));
  // npm may reject a version, and an image without a package has no use.
  expect(jobs["publish-image"]!.needs).toBe("publish");
});

test("a release runs every proof, and proofs that the workflows name exist", () => {
  const named = workflows.flatMap(({ text, name }) =>
    [...text.matchAll(/npm run prove -- (.+)/g)].map(([, words]) => `${name}: ${words}`),
  );
  expect(named).toContain("release.yml: --all --short");
  const { strategy } = workflows.find(({ name }) => name === "proofs.yml")!.jobs["proofs"]!;
  const help = spawnSync(process.execPath, ["scripts/prove.mjs", "--help"], { encoding: "utf8" });
  const subjects = [...`${help.stdout}${help.stderr}`.matchAll(/^ {2}([a-z]+) /gm)].map(([, subject]) => subject);
  expect(subjects).toEqual(expect.arrayContaining([...strategy!.matrix.proof]));
});

test("the package names the repository that builds it, as npm demands for provenance", () => {
  const own = JSON.parse(readFileSync("packages/cli/package.json", "utf8"));
  expect(manifestOf(own, "https://github.com/owner/assay").repository).toEqual({
    type: "git",
    url: "git+https://github.com/owner/assay.git",
  });
  expect(manifestOf(own, undefined)).not.toHaveProperty("repository");
});

const looked = spawnSync(process.execPath, ["scripts/actionlint.mjs"], { encoding: "utf8" });
const actionlint = looked.stdout.trim();
if (actionlint === "") process.stderr.write(looked.stderr);

test("actionlint is there, or may be missing", () => {
  expect([looked.status, looked.status === 0 ? "" : looked.stderr]).toEqual([0, ""]);
});

describe.skipIf(actionlint === "")("actionlint", () => {
  const made = mkdtempSync(join(tmpdir(), "assay-workflows-"));
  afterAll(() => rmSync(made, { recursive: true }));

  // Without the linters of shell and Python that a machine may have, so that every machine gives the same result.
  const lint = (files: readonly string[]) => {
    const { status, stdout } = spawnSync(actionlint, ["-shellcheck=", "-pyflakes=", ...files], { encoding: "utf8" });
    return { status, stdout };
  };

  test("accepts every workflow", () => {
    expect(lint(Object.keys(texts).map((name) => join(folder, name)))).toEqual({ status: 0, stdout: "" });
  });

  test("finds a job that needs a job that does not exist", () => {
    const file = join(made, "broken.yml");
    writeFileSync(file, texts["docs.yml"]!.replace("needs: build", "needs: nothing"));
    expect(lint([file])).toMatchObject({ status: 1, stdout: expect.stringContaining("nothing") });
  });
});
