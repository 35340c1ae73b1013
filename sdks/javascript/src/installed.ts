import { existsSync, readFileSync } from "node:fs";

/** Name and version of a package as it is installed; `entry` is the address of a module of it. */
export function installed(entry: string): { readonly name: string; readonly version: string } {
  for (let folder = new URL(".", entry); folder.pathname !== "/"; folder = new URL("..", folder)) {
    const manifest = new URL("package.json", folder);
    if (!existsSync(manifest)) continue;
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8")) as { name?: string; version?: string };
    if (name !== undefined && version !== undefined) return { name, version };
  }
  throw new Error(`${entry} belongs to no package.`);
}
