import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Spec } from "./load.ts";

/** Whether wrk is installed (`apt install wrk`): a load driver that is not ours, to check ours by. */
export const hasWrk = (): boolean => spawnSync("wrk", ["-v"]).error === undefined;

/** Requests per second as wrk counts them; it measures whole seconds. */
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
  // A string of Lua between long brackets is taken as it stands.
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
