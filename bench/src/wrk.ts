import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Spec } from "./load.ts";

/** Returns true if wrk is installed (`apt install wrk`). It is an independent load driver, used to check ours. */
export const hasWrk = (): boolean => spawnSync("wrk", ["-v"]).error === undefined;

/** Returns the requests per second that wrk counts; it measures whole seconds. */
export async function wrk(origin: string, spec: Spec, connections: number, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "assay-wrk-"));
  try {
    const script = join(folder, "request.lua");
    writeFileSync(script, scriptFor(spec));
    const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, `${origin}${spec.path}`];
    const said = await outputOf("wrk", args);
    const rate = /Requests\/sec:\s*([\d.]+)/.exec(said)?.[1];
    if (rate === undefined || /Non-2xx/.test(said)) throw new Error(`wrk said: ${said}`);
    return Number(rate);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function scriptFor({ verb, body }: Spec): string {
  const lines = [`wrk.method = ${JSON.stringify(verb)}`, 'wrk.headers["A2A-Version"] = "1.0"'];
  // Lua does not interpret the text between long brackets.
  if (body !== undefined)
    lines.push('wrk.headers["Content-Type"] = "application/json"', `wrk.body = [==[${JSON.stringify(body)}]==]`);
  return `${lines.join("\n")}\n`;
}

const outputOf = (command: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    child.once("error", reject).once("close", () => resolve(said));
  });
