import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The TypeScript sources below a folder, tests and their cases left out. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"));
}
