import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../steps.mjs";

/** Matches a Markdown link or picture; its text may contain brackets. */
const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * Makes the links of all pages in a package work there. A link to a missing file points to the repository if the build
 * knows its address, and otherwise becomes plain text. `npm run docs` does the same for the site.
 */
export function linkPages(folder, repository) {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".md")) continue;
    const page = join(folder, file);
    const change = (...found) => linkFrom(dirname(page), folder, repository, found);
    // Every second part is a code block.
    const parts = readFileSync(page, "utf8").split(/^(```[\s\S]*?^```)/m);
    writeFileSync(page, parts.map((part, index) => (index % 2 ? part : part.replace(link, change))).join(""));
  }
}

/** Returns a link, adapted to the folder of a page in the package. */
function linkFrom(place, folder, repository, [whole, picture, words, href]) {
  if (/^([a-z]+:|#|\/)/i.test(href)) return whole;
  const [path, hash] = href.split("#", 2);
  const tail = hash === undefined ? "" : `#${hash}`;
  const inRepository = withSlashes(relative(folder, join(place, path)));
  // The package has the schemas of all workspaces in one folder.
  const target = join(folder, inRepository.replace(/^packages\/\w+\/schemas\//, "schemas/"));
  if (existsSync(target)) return `${picture}[${words}](${withSlashes(relative(place, target))}${tail})`;
  // Generated pages are in the site, not in the repository.
  const isThere = repository && existsSync(join(root, inRepository));
  return picture || !isThere ? words : `[${words}](${repository}/${inRepository}${tail})`;
}

const withSlashes = (path) => path.replaceAll("\\", "/");
