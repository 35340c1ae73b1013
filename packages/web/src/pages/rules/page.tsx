import type { RuleRow } from "../../api/rules/documents.ts";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";

export function Page() {
  const rules = useLoaded(() => get<RuleRow[]>("/api/rules"), []);
  if (rules.is === "failed") return <Trouble error={rules.error} />;
  if (rules.is === "loading") return <Loading />;
  return <p>{rules.value.length} rules</p>;
}
