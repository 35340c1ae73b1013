import { type OlderWire, validateDialect } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, jsonBodyOf, resultOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { notifications } from "../../observations/notifications.ts";
import { pushConfigs } from "../../observations/push-configs.ts";
import { whole } from "./delivery.ts";
import { whileOutlived } from "./excuses.ts";

const want = 'the task: {"kind": "task", "id": …, "contextId": …, "status": {…}}';

/** The guide leaves the body to the server; the example is all there is, and clients of the time were built on it. */
const bodies = activeCheck({
  id: "V03-PUSH-001",
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const findings = whole(all).map(({ delivery, json }): Finding => {
      const details = { saw: brief(Buffer.from(delivery.body).toString("utf8")), want, at: heard[0]!.webhook.call };
      if (!json) return broken("what is posted to webhooks is no JSON object", details);
      if ("jsonrpc" in json)
        return breach("wrapped-in-json-rpc", "notifications are wrapped in a JSON-RPC response", details);
      const kind = asText(json["kind"]);
      if (kind === "task")
        return asObject(json["status"]) ? holds() : breach("status-missing", "a notified task has no status", details);
      if (kind !== undefined && events.includes(kind)) return holds("webhooks are told of events instead of the task");
      if (wrapped.some((member) => asObject(json[member])))
        return breach(
          "form-of-1.0",
          "notifications are written as in 1.0, although the webhook was registered in an older version",
          details,
        );
      return breach("kind-missing", "what is posted to webhooks does not say that it is a task", details);
    });
    return findings.length ? findings : [holds()];
  },
});

const events = ["status-update", "artifact-update", "message"];
const wrapped = ["task", "message", "statusUpdate", "artifactUpdate"];

const labels = activeCheck({
  id: "V03-PUSH-003",
  uses: { notifications },
  judge({ notifications: { all, heard } }) {
    const given = all.map(
      ({ delivery }) => delivery.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? "nothing",
    );
    const wrong = given.find((label) => !/^application\/json\s*(;|$)/i.test(label));
    if (wrong === undefined) return holds();
    const details = { saw: `Content-Type: ${brief(wrong, 80)}`, want: "application/json", at: heard[0]!.webhook.call };
    return /[/+]json\s*(;|$)/i.test(wrong)
      ? breach("other-json-label", "notifications have another label than application/json", details)
      : broken("notifications are not labelled as JSON", details);
  },
});

/** Push configurations as JSON-RPC wrote them before 1.0; what they do is judged by the rules that all versions share. */

const getByTask = activeCheck({
  id: "V03-PUSH-002",
  uses: { pushConfigs },
  judge({ pushConfigs: { current, plain, outlived } }) {
    if (!current) return notApplicable("only JSON-RPC can leave the id of the configuration out");
    const details = { saw: describeReply(current), want: "the configuration that was set", at: [current, plain.call] };
    if (current.reply.is !== "result")
      return whileOutlived(
        { outlived },
        broken("tasks/pushNotificationConfig/get fails where it names only the task", details),
      );
    if (asObject(resultOf(current))?.["url"] === plain.given["url"]) return holds();
    return broken(
      "tasks/pushNotificationConfig/get for a task answers another configuration than its only one",
      details,
    );
  },
});

const deletion = activeCheck({
  id: "V03-PUSH-004",
  uses: { pushConfigs },
  judge({ pushConfigs: { deletion: done } }) {
    if (done?.call.reply.is !== "result") return notApplicable("no configuration was deleted");
    const { call } = done;
    const envelope = asObject(jsonBodyOf(call.exchange));
    const details = { saw: brief(envelope), want: '"result": null', at: call };
    if (!envelope || !("result" in envelope))
      return breach("empty-deletion-response", "a deletion is answered with neither result nor error", details);
    const { result } = envelope;
    if (result === null) return holds();
    if (asObject(result) && Object.keys(result as object).length === 0)
      return breach("other-confirmation", "a deletion is answered with {} instead of null, as in 1.0", details);
    return broken("a deletion is answered with something else than null", details);
  },
});

/** All releases of 0.2 ask for the same members here. */
const wireOf = ({ on }: Call): OlderWire => (on.dialect === "0.2" ? "0.2.0" : "0.3");

function misshapen(call: Call, json: unknown, what: string): Finding {
  const [violation] = validateDialect(wireOf(call), "TaskPushNotificationConfig", json);
  if (!violation) return holds();
  return broken(`${what} is no TaskPushNotificationConfig`, {
    saw: `${violation.path}: ${violation.message} in ${brief(json)}`,
    want: '{"taskId": …, "pushNotificationConfig": {"url": …}}',
    at: call,
  });
}

const nested = activeCheck({
  id: "V03-PUSH-005",
  uses: { pushConfigs },
  judge({ pushConfigs: { plain, current, got } }) {
    const answers = [
      ["the answer of tasks/pushNotificationConfig/set", plain.call],
      ["the answer of tasks/pushNotificationConfig/get", current],
      ["the answer of tasks/pushNotificationConfig/get", got],
    ] as const;
    const findings = answers.flatMap(([what, call]) =>
      call?.said.is === "result" ? [misshapen(call, call.said.json, what)] : [],
    );
    return findings.length ? findings : [holds()];
  },
});

const listed = activeCheck({
  id: "V03-PUSH-006",
  uses: { pushConfigs },
  judge({
    pushConfigs: {
      listed: [page],
      none,
    },
  }) {
    const calls = [none, page].filter((call) => call?.said.is === "result") as Call[];
    if (calls.length === 0) return notApplicable("push configurations are not listed");
    return calls.flatMap((call): Finding[] => {
      const json = call.said.is === "result" ? call.said.json : undefined;
      if (!Array.isArray(json))
        return [
          broken("the list of push configurations is no array", { saw: brief(json), want: "an array", at: call }),
        ];
      const inside = asList(json).map((entry) => misshapen(call, entry, "an entry of the list of push configurations"));
      return inside.length ? inside : [holds()];
    });
  },
});

const noOther = activeCheck({
  id: "V03-PUSH-007",
  uses: { pushConfigs },
  judge: ({ pushConfigs: { unknown, unknownOfNone } }) => [
    judgeUnknown(unknown, "an unknown push configuration"),
    judgeUnknown(unknownOfNone, "a push configuration of a task that has none"),
  ],
});

function judgeUnknown(call: Call, what: string): Finding {
  const details = answerOf(call, "an error");
  if (asObject(resultOf(call))?.["url"]) return broken(`${what} is answered with another one`, details);
  if (call.reply.is === "result")
    return breach("empty-configuration", `${what} is answered with an empty one`, details);
  if (call.reply.is === "failure") return notExamined("unstable", `${what} got no answer: ${details.saw}`);
  if (!errorOf(call)) return breach("unreadable-answer", `${what} is answered with no error of the binding`, details);
  return isInternal(call) ? breach("internal-error", `${what} is answered with an internal error`, details) : holds();
}

export const olderChecks: readonly Check[] = [bodies, getByTask, labels, deletion, nested, listed, noOther];
