import { artifact, skill, status } from "../definition/skill.ts";

const samples = [
  "Grüße, čeština, ελληνικά, العربية, 中文",
  "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 combining: é vs e\u0301",
  "line separator:\u2028 paragraph separator:\u2029 no-break space:\u00a0.",
  'quotes " \\ / and a tab\t.',
];

export const unicode = skill("unicode", {
  name: "Unicode",
  description: "Returns text in many scripts, with characters that break careless clients.",
  tags: ["task", "unicode"],
  examples: ["unicode"],

  async *run() {
    yield status("working", "[unicode] Ünïcödé ✓");
    yield artifact(
      "unicode",
      samples.map((text) => ({ text })),
      { last: true },
    );
    yield status("completed");
  },
});
