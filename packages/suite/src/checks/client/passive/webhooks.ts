import { isLoopback, type JsonObject } from "@assay/protocol";
import { asObject, asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { type ClientCall, callsOf } from "../../../client/client-request.ts";
import { isSend, messageOf, toldBy } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

/** Returns the push configuration that a call registers, directly or within a send. */
export function registeredBy(call: ClientCall): JsonObject | undefined {
  const config = isSend(call)
    ? asObject(asObject(call.params?.["configuration"])?.["taskPushNotificationConfig"])
    : call.operation === "CreateTaskPushNotificationConfig"
      ? call.params
      : undefined;
  return asText(config?.["url"]) ? config : undefined;
}

export const overTls = passiveClientCheck("PUSH-040", {
  judge(call) {
    const url = asText(registeredBy(call)?.["url"]);
    if (url === undefined || !URL.canParse(url)) return undefined;
    const { protocol, hostname } = new URL(url);
    if (protocol === "https:") return holds();
    // A loopback address is not visible to other machines.
    if (isLoopback(hostname)) return undefined;
    return broken("the client registers a webhook without https", { saw: brief(url), want: "https" });
  },
});

/** Returns the secrets by which an agent authenticates itself to the webhook. */
const proofsOf = (config: JsonObject): readonly string[] =>
  [asText(config["token"]), asText(asObject(config["authentication"])?.["credentials"])].filter(
    (value): value is string => Boolean(value),
  );

export const singlePurpose = passiveClientCheck("PUSH-041", {
  judge(call, { before }) {
    const config = registeredBy(call);
    const proofs = config ? proofsOf(config) : [];
    if (!config || !proofs.length) return undefined;
    const own = tasksOf(call);
    const earlier = callsOf(before).flatMap((each) => {
      const other = registeredBy(each);
      const tasks = tasksOf(each);
      // A second registration for the same task may change the same configuration.
      const isAnother = own.length > 0 && tasks.length > 0 && !tasks.some((task) => own.includes(task));
      return other && isAnother ? [{ call: each, proofs: proofsOf(other) }] : [];
    });
    if (!earlier.length) return undefined;
    const same = earlier.find((each) => each.proofs.some((proof) => proofs.includes(proof)));
    if (!same) return holds();
    return broken("two push configurations have the same token", {
      saw: "a token of an earlier configuration",
      want: "a different token for each",
      at: [same.call.exchange, call.exchange],
    });
  },
});

/** Returns the task of a configuration: named in the request, or created by it. */
export const tasksOf = (call: ClientCall): readonly string[] => {
  const named = asText(messageOf(call)?.["taskId"]) ?? asText(call.params?.["taskId"]);
  return named ? [named] : [...toldBy([call]).tasks];
};
