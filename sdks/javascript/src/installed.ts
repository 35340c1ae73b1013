import { existsSync, readFileSync } from "node:fs";

/** Returns the name and version of an installed package; `entry` is the URL of one of its modules. */
export function installed(entry: string): { readonly name: string; readonly version: string } {
  for (let folder = new URL(".", entry); folder.pathname !== "/"; folder = new URL("..", folder)) {
    const manifest = new URL("package.json", folder);
    if (!existsSync(manifest)) continue;
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8")) as { name?: string; version?: string };
    if (name !== undefined && version !== undefined) return { name, version };
  }
  throw new Error(`${entry} belongs to no package.`);
}
