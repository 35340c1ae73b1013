import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "@assay/protocol/assay-error";

/** The page as it was built: beside the bundle of the published package, or in the `dist` of this workspace. */
const places = ["./page", "../page", "../../dist/page"];

/** The folder of the built page. */
export function pageFolder(): string {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = folders.find((folder) => existsSync(join(folder, "index.html")));
  if (found === undefined) throw new UsageError("The page is not built yet", "npm run build builds it.");
  return found;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** its name changes with its content, so it may be kept for good */
  readonly isPinned: boolean;
}

/** A file of the page; undefined for what is none. Names are those that the build gives, so nothing leads out of the folder. */
export async function readPageFile(folder: string, path: string): Promise<PageFile | undefined> {
  const name = path === "/" ? "/index.html" : path;
  if (!/^(\/assets)?\/[\w-]+(\.[\w-]+)*$/.test(name)) return undefined;
  const type = types[extname(name)];
  if (type === undefined) return undefined;
  try {
    return { type, body: await readFile(join(folder, name)), isPinned: name.startsWith("/assets/") };
  } catch {
    return undefined;
  }
}
