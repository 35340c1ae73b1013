import { loadFamilies } from "@assay/agents";
import { defined, dialects } from "@assay/protocol";
import { checks, clientCheckOf, coverage, type DraftSet, drafts, sdkCalls, specUrl, versionsWith } from "@assay/suite";
import type { RuleRow } from "@assay/viewer/documents";
import { type ApiRoute, json, route } from "../../server/route.ts";

/** Returns each rule of all versions once, with the text of the newest version that has it. */
export async function ruleRows(): Promise<RuleRow[]> {
  const { mutants } = await loadFamilies();
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rows = new Map<string, RuleRow>();
  for (const dialect of [...dialects.toReversed(), ...(Object.keys(drafts) as DraftSet[])])
    for (const { rule, ends, because } of coverage(dialect)) {
      if (rows.has(rule.id)) continue;
      const { id, section, level, actor, basis, text, breaks, bindings, ambiguity } = rule;
      const check = byId.get(id);
      const clientCheck = clientCheckOf(id);
      rows.set(id, {
        ...{ id, section, level, actor, basis, text, breaks, bindings, ends },
        ...(ambiguity?.length && { ambiguity }),
        ...(because !== undefined && { because }),
        specUrl: specUrl(section, dialect),
        versions: versionsWith(id),
        ...(check && { check: checkWords(check) }),
        ...defined({ clientCheck, calls: sdkCalls[id] }),
        mutants: mutants
          .filter((each) => each.id.startsWith(`${id}.`))
          .map((each) => ({ id: each.id, does: each.does })),
      });
    }
  return [...rows.values()];
}

const checkWords = ({ title, remedy, kind, messages, depth, rude }: (typeof checks)[number]) => ({
  ...{ title, remedy, kind, messages, depth, rude },
});

export function rulesRoutes(): readonly ApiRoute[] {
  let rows: Promise<RuleRow[]> | undefined;
  return [
    route("GET", "/api/rules", async () => {
      rows ??= ruleRows();
      return json(await rows);
    }),
  ];
}
