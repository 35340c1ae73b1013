import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { scriptOf } from "./contestant.ts";
import { message } from "./server-rows.ts";

/** The Node arguments that start a server. Its first output is a line of JSON with its `url`. */
interface StartUp {
  readonly name: string;
  readonly args: readonly string[];
  /** the path of the agent below that URL */
  readonly path: string;
  readonly isOurs: boolean;
}

const serve = ["serve", "--port", "0", "--json"];
const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const packed = fileOf("dist/package/bin/assay.js");

/** `assay serve` as installed (`npm run pack`) and from a clone, beside other servers. */
export const startUps: readonly StartUp[] = [
  ...(existsSync(packed)
    ? [{ name: "assay serve, packed", args: [packed, ...serve], path: "/spec", isOurs: true }]
    : []),
  { name: "assay serve, clone", args: [fileOf("packages/cli/bin/assay.js"), ...serve], path: "/spec", isOurs: true },
  { name: "JavaScript SDK 1.3.0 on express", args: [scriptOf("sdk")], path: "", isOurs: false },
  { name: "node:http", args: [scriptOf("raw")], path: "", isOurs: false },
];

/** Returns the milliseconds from the start of the process to its first correct response. */
export async function untilFirstAnswer({ args, path }: StartUp): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(String(line).split("\n", 1)[0]!) as { url: string };
  await ask(`${url}${path}/message:send`);
  const took = performance.now() - started;
  child.kill();
  await once(child, "exit");
  return took;
}

function ask(url: string): Promise<void> {
  const body = JSON.stringify(message("message-only hello"));
  return new Promise((resolve, reject) => {
    const headers = { "A2A-Version": "1.0", "Content-Type": "application/json" };
    request(url, { method: "POST", headers }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    })
      .once("error", reject)
      .end(body);
  });
}
