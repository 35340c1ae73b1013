import { execFile, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packInto } from "./installed.fixture.ts";

// The image without a container engine: the script of the Dockerfile fills the file system, and bubblewrap starts it in
// namespaces of its own, with the user, variables and commands of the Dockerfile. Node and its libraries are those of this machine.

const execute = promisify(execFile);
const [last = ""] = readFileSync("Dockerfile", "utf8")
  .replaceAll("\\\n", " ")
  .split(/^FROM /m)
  .slice(-1);
const lineOf = (word: string): string => new RegExp(`^${word} (.*)$`, "m").exec(last)?.[1] ?? "";
const [uid, gid] = lineOf("USER").split(":").map(Number) as [number, number];
const image = {
  entrypoint: JSON.parse(lineOf("ENTRYPOINT")) as string[],
  command: JSON.parse(lineOf("CMD")) as string[],
  health: JSON.parse(lineOf("HEALTHCHECK").replace(/^.* CMD /, "")) as string[],
  variables: [...lineOf("ENV").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => ["--setenv", name!, value!]),
};

const root = mkdtempSync(join(tmpdir(), "assay-image-"));
const packed = mkdtempSync(join(tmpdir(), "assay-packed-"));
afterAll(() => {
  for (const folder of [root, packed]) rmSync(folder, { recursive: true, force: true });
});

beforeAll(async () => {
  const tarball = await packInto(packed);
  await execute("sh", ["deploy/image/install.sh", tarball, join(root, "app")], {
    env: { ...process.env, npm_config_prefer_offline: "true" },
    maxBuffer: 50_000_000,
  });
  // Another user has to see the folder.
  chmodSync(root, 0o755);
  for (const name of ["dev", "node", "proc", "usr"]) mkdirSync(join(root, name));
  for (const name of ["bin", "lib", "lib64"]) symlinkSync(`usr/${name}`, join(root, name));
});

/** Runs a program in the image: read-only, as its user, without a network besides its own loopback. */
async function inImage(program: readonly string[]): Promise<string> {
  const words = [
    ...["--unshare-all", "--die-with-parent", "--uid", `${uid}`, "--gid", `${gid}`, "--clearenv", "--chdir", "/app"],
    ...["--ro-bind", root, "/", "--ro-bind", "/usr", "/usr", "--ro-bind", dirname(process.execPath), "/node"],
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"],
    ...["--setenv", "PATH", "/node:/usr/bin", ...image.variables.flat()],
  ];
  // Root becomes the user before the namespaces exist, so that no file belongs to the user by accident.
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  const { stdout } = await execute("bwrap", [...words, ...program], { ...user, cwd: "/" });
  return stdout;
}

/** Starts the server in the image, asks for its health before and after, tries to write, and ends it as a cluster does. */
function tryOut(server: string[], health: string[]): void {
  const { spawn, spawnSync } = process.getBuiltinModule("node:child_process");
  const { writeFileSync } = process.getBuiltinModule("node:fs");
  const start = (words: string[], stdio: "ignore" | "inherit") => spawn(words[0]!, words.slice(1), { stdio });
  const healthCode = () => spawnSync(health[0]!, health.slice(1)).status;
  const errorOfWriting = (file: string) => {
    try {
      writeFileSync(file, "");
      return "written";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  const before = healthCode();
  const child = start(server, "ignore");
  const ended = new Promise((done) => child.once("exit", (code, signal) => done(code ?? signal)));
  void (async () => {
    while (child.exitCode === null && healthCode() !== 0);
    const after = child.exitCode === null ? healthCode() : "the server has ended";
    child.kill("SIGTERM");
    const writes = ["/file", "/app/file", "/app/node_modules/a2a-assay/bin/assay.js"].map(errorOfWriting);
    const user = [process.getuid?.(), process.getgid?.()];
    console.log(JSON.stringify({ before, after, exit: await ended, user, writes }));
  })();
}

const isThere = spawnSync("bwrap", ["--version"]).status === 0;

describe.skipIf(process.platform !== "linux" || (!isThere && process.env["CI"] !== "true"))("the image", () => {
  test("serves as another user, read-only, passes its health check, and ends with the signal", async () => {
    const server = [...image.entrypoint, ...image.command];
    const script = `(${tryOut.toString()})(${JSON.stringify(server)}, ${JSON.stringify(image.health)})`;
    expect(JSON.parse(await inImage(["node", "-e", script]))).toEqual({
      before: 1,
      after: 0,
      exit: 0,
      user: [1000, 1000],
      writes: ["EROFS", "EROFS", "EROFS"],
    });
  });

  test("has the package and the optional libraries, and nothing to build them", async () => {
    const { dependencies } = JSON.parse(readFileSync("deploy/image/package.json", "utf8"));
    const modules = readdirSync(join(root, "app/node_modules"));
    expect(modules).toEqual(expect.arrayContaining(["a2a-assay", "pg", "oidc-provider"]));
    expect(modules).not.toContain("typescript");
    const loading = Object.keys(dependencies).map((name) => `require.resolve(${JSON.stringify(name)})`);
    expect(await inImage(["node", "-p", `[${loading}].length`])).toBe(`${loading.length}\n`);
  });

  test("names its version", async () => {
    const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8"));
    expect(await inImage([...image.entrypoint, "--version"])).toMatch(`${version} (rules `);
  });
});
