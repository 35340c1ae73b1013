import { type OlderWire, validateDialect } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, jsonBodyOf, resultOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { notifications } from "../../observations/notifications.ts";
import { pushConfigs } from "../../observations/push-configs.ts";
import { whole } from "./delivery.ts";
import { whileOutlived } from "./excuses.ts";

const want = 'the task: {"kind": "task", "id": …, "contextId": …, "status": {…}}';

/** The guide does not define the body. Clients of that version follow its example, so this check does too. */
export const bodies = activeCheck("V03-PUSH-001", {
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const findings = whole(all).map(({ delivery, json }): Finding => {
      const details = { saw: brief(Buffer.from(delivery.body).toString("utf8")), want, at: heard[0]!.webhook.call };
      if (!json) return broken("the body of a notification is not a JSON object", details);
      if ("jsonrpc" in json)
        return breach("wrapped-in-json-rpc", "the agent wraps notifications in a JSON-RPC response", details);
      const kind = asText(json["kind"]);
      if (kind === "task")
        return asObject(json["status"])
          ? holds()
          : breach("status-missing", "the task in a notification has no status", details);
      if (kind !== undefined && events.includes(kind))
        return holds("the agent notifies webhooks of events instead of the task");
      if (wrapped.some((member) => asObject(json[member])))
        return breach(
          "form-of-1.0",
          "notifications have the form of 1.0, although the webhook was registered in an older version",
          details,
        );
      return breach("kind-missing", "the body of a notification does not say that it is a task", details);
    });
    return findings.length ? findings : [holds()];
  },
});

const events = ["status-update", "artifact-update", "message"];
const wrapped = ["task", "message", "statusUpdate", "artifactUpdate"];

export const labels = activeCheck("V03-PUSH-003", {
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const given = all.map(
      ({ delivery }) => delivery.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? "nothing",
    );
    const wrong = given.find((label) => !/^application\/json\s*(;|$)/i.test(label));
    if (wrong === undefined) return holds();
    const details = { saw: `Content-Type: ${brief(wrong, 80)}`, want: "application/json", at: heard[0]!.webhook.call };
    return /[/+]json\s*(;|$)/i.test(wrong)
      ? breach("other-json-label", "the Content-Type of notifications is not application/json", details)
      : broken("the Content-Type of notifications is not JSON", details);
  },
});

// The checks below judge the form of push configurations over JSON-RPC before 1.0; shared rules judge their behaviour.

export const getByTask = activeCheck("V03-PUSH-002", {
  uses: { pushConfigs },
  judge({ pushConfigs: { current, plain, outlived } }) {
    if (!current) return notApplicable("only JSON-RPC can omit the id of the configuration");
    const details = { saw: describeReply(current), want: "the configuration that was set", at: [current, plain.call] };
    if (current.reply.is !== "result")
      return whileOutlived(
        { outlived },
        broken("tasks/pushNotificationConfig/get fails if the request has only the task id", details),
      );
    if (asObject(resultOf(current))?.["url"] === plain.given["url"]) return holds();
    return broken("tasks/pushNotificationConfig/get for a task does not return its only configuration", details);
  },
});

export const deletion = activeCheck("V03-PUSH-004", {
  uses: { pushConfigs },
  judge({ pushConfigs: { deletion: done } }) {
    if (done?.call.reply.is !== "result") return notApplicable("the agent deleted no configuration");
    const { call } = done;
    const envelope = asObject(jsonBodyOf(call.exchange));
    const details = { saw: brief(envelope), want: '"result": null', at: call };
    if (!envelope || !("result" in envelope))
      return breach("empty-deletion-response", "the response to a deletion has neither result nor error", details);
    const { result } = envelope;
    if (result === null) return holds();
    if (asObject(result) && Object.keys(result as object).length === 0)
      return breach("other-confirmation", "the result of a deletion is {} instead of null, as in 1.0", details);
    return broken("the result of a deletion is not null", details);
  },
});

/** All 0.2 releases require the same members here. */
const wireOf = ({ on }: Call): OlderWire => (on.dialect === "0.2" ? "0.2.0" : "0.3");

function misshapen(call: Call, json: unknown, what: string): Finding {
  const [violation] = validateDialect(wireOf(call), "TaskPushNotificationConfig", json);
  if (!violation) return holds();
  return broken(`${what} is not a TaskPushNotificationConfig`, {
    saw: `${violation.path}: ${violation.message} in ${brief(json)}`,
    want: '{"taskId": …, "pushNotificationConfig": {"url": …}}',
    at: call,
  });
}

export const nested = activeCheck("V03-PUSH-005", {
  uses: { pushConfigs },
  judge({ pushConfigs: { plain, current, got } }) {
    const answers = [
      ["the response of tasks/pushNotificationConfig/set", plain.call],
      ["the response of tasks/pushNotificationConfig/get", current],
      ["the response of tasks/pushNotificationConfig/get", got],
    ] as const;
    const findings = answers.flatMap(([what, call]) =>
      call?.said.is === "result" ? [misshapen(call, call.said.json, what)] : [],
    );
    return findings.length ? findings : [holds()];
  },
});

export const listed = activeCheck("V03-PUSH-006", {
  uses: { pushConfigs },
  judge({
    pushConfigs: {
      listed: [page],
      none,
    },
  }) {
    const calls = [none, page].filter((call) => call?.said.is === "result") as Call[];
    if (calls.length === 0) return notApplicable("the agent does not list push configurations");
    return calls.flatMap((call): Finding[] => {
      const json = call.said.is === "result" ? call.said.json : undefined;
      if (!Array.isArray(json))
        return [
          broken("the list of push configurations is not an array", { saw: brief(json), want: "an array", at: call }),
        ];
      const inside = asList(json).map((entry) => misshapen(call, entry, "an entry of the list of push configurations"));
      return inside.length ? inside : [holds()];
    });
  },
});

export const noOther = activeCheck("V03-PUSH-007", {
  uses: { pushConfigs },
  judge: ({ pushConfigs: { unknown, unknownOfNone } }) => [
    judgeUnknown(unknown, "GetTaskPushNotificationConfig for an unknown configuration"),
    judgeUnknown(unknownOfNone, "GetTaskPushNotificationConfig for a task without configurations"),
  ],
});

function judgeUnknown(call: Call, what: string): Finding {
  const details = answerOf(call, "an error");
  if (asObject(resultOf(call))?.["url"]) return broken(`${what} returns another configuration`, details);
  if (call.reply.is === "result")
    return breach("empty-configuration", `${what} returns an empty configuration`, details);
  if (call.reply.is === "failure") return notExamined("unstable", `${what} got no response: ${details.saw}`);
  if (!errorOf(call))
    return breach("unreadable-answer", `${what} returns a malformed response instead of an error`, details);
  return isInternal(call) ? breach("internal-error", `${what} returns an internal error`, details) : holds();
}
