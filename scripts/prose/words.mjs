// The words and phrases that the project does not use, as a rule of textlint.

/** Each expression is searched without regard to case; the advice says what to write in its place. */
const unwanted = [
  [/\bunless (?:given|told|said)\b/, "name the default: (default: …)"],
  [/\bnobody\b/, "say who: no client, no one"],
  [/\b(?:fault|error) of our own\b|\bour own (?:fault|error)s?\b/, "internal error"],
  [/\b(?:is|are|was|were|be|been|being) told\b/, "say who reports what"],
  [/\b(?:is|are|was|were|be|been) said\b|\bsaid of\b/, "say who reports what"],
  [/\bso many\b/, "give the number, or: the maximum number of"],
  [/\bof (?:theirs|ours)\b/, "their own, our own, or name the owner"],
  [/\b(?:and|or) the like\b/, "name the others, or: and other …"],
  [/\bwho(?:m)?ever\b/, "anyone who, or name them"],
  [/\bstands\b(?! for\b| in for\b| out\b)|\bstood\b/, "is, is listed, is written"],
  [/\b(?:comes|came) to\b/, "is, results in, arrives at"],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|later\b|earlier\b|greater\b|older\b|newer\b|one\b)/,
    "is not a …, has no …",
  ],
  [
    /\b(?:needs?|without|gives?|given|gave|has|with|asks? for|the|by) leave\b(?! (?:out|it|them|a|the)\b)/,
    "permission",
  ],
  [/\bpass(?:es)? over\b/, "skip, ignore"],
  [/\bof then\b/, "recorded, at that time"],
  [/\b(?:brings?|brought) about\b/, "cause, lead to"],
  [/\bwithout a word\b|\ba word on\b/, "without declaring, without a message"],
  [/\banew\b/, "again"],
  [/\b(?:asked|asks|ask|expected) of\b/, "require, expect"],
  [/\bto be had\b/, "available"],
  [/\bgo(?:es)? on with\b/, "continue"],
  [/\btaken? for\b/, "treat as, mistake for"],
  [/\bfor want of\b/, "without"],
  [/\bis settled\b/, "is saved, is decided"],
  [/\bas what it misses\b/, "as the version it resembles most"],
  [/\bfails (?:nothing|no agent)\b/, "never causes a failure"],
  [/\bkept apart from\b/, "separate from"],
];

export const pattern = new RegExp(unwanted.map(([{ source }]) => `(${source.replace(/ /g, "\\s+")})`).join("|"), "gi");

/** A rule of textlint: reports unwanted words in running text, and ignores code and links. */
export function words({ Syntax, RuleError, getSource, locator, report }) {
  return {
    [Syntax.Str](node) {
      for (const match of getSource(node).matchAll(pattern)) {
        const [, advice] = unwanted[match.slice(1).findIndex((group) => group !== undefined)];
        const found = match[0].trim().replace(/\s+/g, " ");
        report(node, new RuleError(`"${found}": ${advice}`, { padding: locator.at(match.index) }));
      }
    },
  };
}
