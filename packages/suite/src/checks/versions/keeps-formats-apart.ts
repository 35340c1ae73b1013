import { parseJson } from "@assay/protocol";
import { asObject, asText, brief } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { taskAtRest } from "../../observations/sent-message.ts";

export const keepsFormatsApart = activeCheck({
  id: "VER-017",
  title: "clients of 0.3 get the states of 0.3",
  remedy:
    "Write enums in the form of the version that was asked for: completed to a client of 0.3, TASK_STATE_COMPLETED to one of 1.0.",
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
      return notExamined("not-triggered", "the 0.3 interface does not show the task of the 1.0 interface");
    if (!state.startsWith("TASK_STATE_")) return holds();
    return broken("an answer of 0.3 has a state in the form of 1.0", {
      saw: brief(state),
      want: '"completed" and the like',
      at: exchange,
    });
  },
});

function jsonIn(body: Uint8Array | undefined): unknown {
  try {
    return parseJson(Buffer.from(body ?? []).toString("utf8"));
  } catch {
    return undefined;
  }
}
