import { hasOperation } from "../../answers/operations-of.ts";
import { asObject, asText, resultOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notExamined } from "../../define/finding.ts";
import { pushConfigs, type Registered } from "../../observations/push-configs.ts";

const secretOf = ({ given, id }: Registered): string[] =>
  id === undefined ? [] : [asText(asObject(given["authentication"])?.["credentials"]) ?? []].flat();

export const keepsSecrets = activeCheck({
  id: "PUSH-035",
  title: "credentials of push configurations stand in no other answer",
  remedy: "Keep the credentials of a push configuration apart from its task: GetTask and ListTasks do not show them.",
  uses: { pushConfigs },
  async judge({ pushConfigs: { taskId, bearer, basic } }, target) {
    const secrets = [bearer, basic].flatMap(secretOf);
    if (secrets.length === 0) return notExamined("not-triggered", "no push configuration with credentials was taken");
    const calls = [
      await target.call("GetTask", { id: taskId }),
      ...(hasOperation(target.on, "ListTasks") ? [await target.call("ListTasks", { includeArtifacts: true })] : []),
    ];
    const telling = calls.find((call) => {
      const told = JSON.stringify(resultOf(call) ?? null);
      return secrets.some((secret) => told.includes(secret));
    });
    if (!telling) return holds();
    return broken(`${telling.operation} shows the credentials of a push configuration`, {
      want: "credentials in answers about push configurations alone",
      at: telling,
    });
  },
});
