import { errorTable, jsonIn } from "@assay/protocol";
import { asList, asObject, asText, brief, shown } from "../../answers/loose-json.ts";
import { answerOf, errorOf } from "../../answers/reading.ts";
import { activeCheck, cardCheck, passiveCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { asksForThisVersion, shapesOf } from "../../shapes/of-call.ts";

/** Kinds of unwrapped responses and events in 0.3. */
const oldKinds = ["task", "message", "status-update", "artifact-update"];

export const formsOfThisVersion = passiveCheck("VER-006", {
  shownBy: [sentMessage],
  judge(call) {
    if (!asksForThisVersion(call)) return undefined;
    const error = errorOf(call);
    const { code, reason } = errorTable.VersionNotSupported;
    if (call.fair && error && (error.code === code || error.reason === reason))
      return broken(
        "the interface refuses the version that its card declares",
        answerOf(call, "a response in version 1.0"),
      );
    const { documents } = shapesOf(call);
    const old = documents.find(
      ({ message, json }) =>
        (message === "SendMessageResponse" || message === "StreamResponse") &&
        oldKinds.includes(asObject(json)?.["kind"] as string),
    );
    if (old)
      return broken("a 1.0 request gets a response in the form of 0.3", {
        ...shown(old.json),
        want: "an object with task, message, statusUpdate or artifactUpdate",
      });
    return documents.length > 0 ? holds() : undefined;
  },
});

export const keepsFormatsApart = activeCheck("VER-017", {
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const older = target.facts.declared.find(({ dialect, binding }) => dialect === "0.3" && binding === "JSONRPC");
    if (!older) return notApplicable("the card declares no 0.3 interface for JSON-RPC");
    const exchange = await target.fetch({
      method: "POST",
      url: older.url,
      headers: [
        ["Content-Type", "application/json"],
        ["A2A-Version", "0.3"],
      ],
      body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: last.id } })),
    });
    const result = asObject(asObject(jsonIn(exchange.http.response?.body))?.["result"]);
    const state = asText(asObject(result?.["status"])?.["state"]);
    if (state === undefined)
      return notExamined("not-triggered", "the 0.3 interface does not return the task of the 1.0 interface");
    if (!state.startsWith("TASK_STATE_")) return holds();
    return broken("a 0.3 response has a state in the form of 1.0", {
      saw: brief(state),
      want: 'a state such as "completed"',
      at: exchange,
    });
  },
});

export const noPatchNumber = cardCheck("VER-009", {
  judge({ json }) {
    const versions = asList(json["supportedInterfaces"]).flatMap(
      (each) => asText(asObject(each)?.["protocolVersion"]) ?? [],
    );
    if (versions.length === 0) return notApplicable("the card has no version");
    const patched = versions.find((version) => /^\d+\.\d+\.\d/.test(version));
    if (patched === undefined) return holds();
    return broken("protocolVersion has a patch number", { saw: patched, want: "Major.Minor" });
  },
});
