import { dirname, join, relative } from "node:path";

/** Pages of the repository's root that `npm run docs` copies into the site. */
export const rootPages = {
  "ARCHITECTURE.md": "project/architecture.md",
  "CHANGELOG.md": "project/changelog.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "SECURITY.md": "project/security.md",
};

const repository =
  process.env.GITHUB_REPOSITORY && `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}/blob/main`;

/**
 * Makes links work on the site as they do in the repository. A link to a root page leads to its copy. A link to a source file
 * leads to the repository where the build knows its address, and otherwise shows only its text.
 */
export function linksOutside(md, docs) {
  const root = join(docs, "..");
  md.core.ruler.push("links-outside", ({ tokens, env }) => {
    const page = relative(docs, env.path ?? "");
    const origin = Object.entries(rootPages).find(([, copy]) => copy === page)?.[0];
    const folder = origin === undefined ? join(docs, dirname(page)) : root;
    for (const { children } of tokens) {
      if (!children) continue;
      rewrite(children, folder, docs, root, dirname(page));
      // Pages are Vue templates: braces in code are text.
      for (const token of children) if (token.type === "code_inline") token.attrSet("v-pre", "");
    }
  });
}

function rewrite(tokens, folder, docs, root, pageFolder) {
  const open = [];
  for (const token of tokens) {
    if (token.type === "link_close") {
      if (open.pop() === "unlinked") token.tag = "span";
      continue;
    }
    if (token.type !== "link_open") continue;
    const target = targetOf(token.attrGet("href") ?? "", folder, docs, root, pageFolder);
    open.push(target === undefined ? "unlinked" : "linked");
    if (target !== undefined) token.attrSet("href", target);
    else {
      token.tag = "span";
      token.attrs = null;
    }
  }
}

/** Returns the link as the site needs it; nothing for a source file without a known address. */
function targetOf(href, folder, docs, root, pageFolder) {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path, hash] = href.split("#", 2);
  const tail = hash === undefined ? "" : `#${hash}`;
  const file = join(folder, decodeURI(path));
  const copy = rootPages[relative(root, file)];
  const inSite = copy === undefined ? relative(docs, file) : copy;
  if (!inSite.startsWith("..") && /\.(md|webp|png|svg|html)$/.test(inSite)) {
    const between = relative(pageFolder, inSite);
    return `${between.startsWith(".") ? between : `./${between}`}${tail}`;
  }
  return repository === undefined || repository === "" ? undefined : `${repository}/${relative(root, file)}${tail}`;
}
