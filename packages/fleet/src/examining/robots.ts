/** The names by which a robots.txt addresses Assay: the product in its User-Agent, and the short name. */
const ownTokens = ["a2a-assay", "assay"];

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

/**
 * Returns true if a robots.txt (RFC 9309) excludes Assay by name from a path. Rules for all robots are meant for web
 * crawlers and would exclude half of all agents, so only a group that names Assay counts.
 */
export function keepsOut(robots: string, path: string): boolean {
  const matching = ownRules(robots).filter((rule) => matches(rule.path, path));
  // The longest rule wins; of two equally long ones, the one that allows.
  const [first] = matching.toSorted((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return first !== undefined && !first.allows;
}

function ownRules(robots: string): Rule[] {
  const rules: Rule[] = [];
  let isOurs = false;
  let isNaming = false;
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const word = value.trim();
    switch (name.toLowerCase()) {
      case "user-agent":
        // Several names in a row start one group.
        isOurs = (isNaming && isOurs) || ownTokens.includes(word.toLowerCase());
        isNaming = true;
        break;
      case "allow":
      case "disallow":
        isNaming = false;
        // An empty rule matches nothing.
        if (isOurs && word) rules.push({ allows: name.toLowerCase() === "allow", path: word });
        break;
    }
  }
  return rules;
}

/** Matches a path: `*` means any text, and `$` the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (path.startsWith(piece) ? 0 : -1) : path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1)!;
  return !isWhole || at === path.length || (pieces.length > 1 && path.endsWith(last));
}
