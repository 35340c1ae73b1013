import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, vi } from "vitest";

const blocking = pathToFileURL(resolve("e2e/process/blocking.fixture.mjs")).href;
/** A bound that says "this hangs"; nothing here waits for it to pass. */
const patience = { timeout: 250_000, interval: 20 };

/** A command of Assay in its own process group, and what it prints. */
export class StartedCommand {
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  out = "";
  err = "";

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, ["--import", blocking, "packages/cli/bin/assay.js", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.out += text;
    });
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.err += text;
    });
    // "close" comes when the last process that holds the pipes is gone.
    this.#ended = once(this.child, "close");
    onTestFinished(() => {
      if (this.child.exitCode === null) process.kill(-this.child.pid!, "SIGKILL");
    });
  }

  /** Waits until the command and all its processes are gone; returns the exit code. */
  async code(): Promise<unknown> {
    const [code] = await this.#ended;
    return code;
  }

  /** Waits until it has printed this on stderr. */
  said(text: string): Promise<void> {
    return vi.waitFor(() => expect(this.err).toContain(text), patience);
  }

  /** Waits for the line that a server prints when it is ready. */
  async ready(): Promise<{ readonly url: string; readonly pid: number; readonly token?: string }> {
    await vi.waitFor(() => expect(this.out).toContain("\n"), patience);
    return JSON.parse(this.out.slice(0, this.out.indexOf("\n")));
  }

  /** Blocks the main thread of the command for good. The command must be at work already. */
  async block(): Promise<void> {
    process.kill(-this.child.pid!, "SIGUSR2");
    await this.said("blocked\n");
  }
}
