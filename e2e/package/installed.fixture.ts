import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** How a command went. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Offline: a package that needs the registry fails here. SQLite for Node 20 is optional and left out.
const alone = ["install", "--offline", "--omit=optional"];

/** Makes the package in a folder of the test, since others pack at the same time; returns the path of its tarball. */
export async function packInto(folder: string): Promise<string> {
  const env = { ...process.env, GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "owner/assay" };
  await execute(process.execPath, ["scripts/pack.mjs", folder], { env });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!);
}

/** An empty folder in which the package is installed as a user would install it: from its tarball, with nothing else. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "assay-installed-"));
  readonly #tarball: string;

  private constructor(tarball: string) {
    this.#tarball = tarball;
    writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  }

  /** `globally` installs it there as well. */
  static async make(tarball: string, { globally }: { readonly globally: boolean }): Promise<Installation> {
    const installation = new Installation(tarball);
    await installation.#npm([...alone, tarball]);
    if (globally)
      await installation.#npm([...alone, "--global", "--prefix", join(installation.folder, "global"), tarball]);
    return installation;
  }

  /** Installs the package into another folder with everything that npm adds to it; needs the registry. */
  async complete(): Promise<string> {
    const folder = join(this.folder, "complete");
    await this.#npm(["install", "--prefix", folder, this.#tarball]);
    return folder;
  }

  /** Installs other packages beside this one; needs the registry. */
  add(...names: readonly string[]): Promise<void> {
    return this.#npm(["install", "--no-save", ...names]);
  }

  /** Runs the command as `npx a2a-assay …`. */
  npx(...args: string[]): Promise<Ran> {
    return this.run("npx", ["--offline", "a2a-assay", ...args]);
  }

  /** The command as a global install offers it. */
  global(...args: string[]): Promise<Ran> {
    return this.run(join(this.folder, "global/bin/assay"), args);
  }

  /** A command that goes on until it is ended: what its first line says once it is ready. */
  async started(...args: string[]): Promise<{ readonly url: string; end(): Promise<void> }> {
    const child = spawn(process.execPath, [join(this.folder, "node_modules/a2a-assay/bin/assay.js"), ...args], {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: "1", CI: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    for await (const line of createInterface(child.stdout)) {
      child.stdout.resume();
      const { url } = JSON.parse(line) as { url: string };
      return { url, end: async () => void (child.kill("SIGTERM") && (await ended)) };
    }
    throw new Error(`assay ${args.join(" ")} ended before it was ready`);
  }

  async run(command: string, args: readonly string[]): Promise<Ran> {
    try {
      const { stdout, stderr } = await execute(command, args, {
        cwd: this.folder,
        env: { ...process.env, NO_COLOR: "1", CI: "1" },
        maxBuffer: 50_000_000,
      });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code = 1, stdout = "", stderr = "" } = error as { code?: number; stdout?: string; stderr?: string };
      return { code, stdout, stderr };
    }
  }

  /** Another version of Node, brought by the npm package `node`; needs the registry. */
  async node(major: number): Promise<string> {
    const folder = join(this.folder, `node-${major}`);
    await this.#npm(["install", "--prefix", folder, "--ignore-scripts=false", `node@${major}`]);
    return join(folder, "node_modules/node/bin/node");
  }

  async #npm(args: readonly string[]): Promise<void> {
    const { code, stderr } = await this.run("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"]);
    if (code !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
