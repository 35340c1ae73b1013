import type { JsonObject, Operation } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { concernsNobody, skipped } from "../obstacle.ts";
import { hasOperation, operationsOf } from "../operations-of.ts";
import type { Target } from "../target.ts";
import { type LoginWay, loginOf, usesCertificates } from "./login.ts";
import { sentCalls } from "./sent-calls.ts";
import { ask, isClaimed, paramsFor } from "./unknown-task.ts";

/** A call without credentials that the agent knows. */
export interface Attempt {
  readonly operation: Operation;
  /** the card claims that the agent has this operation */
  readonly claimed: boolean;
  readonly call: Call;
}

/** How callers without good credentials are answered. */
export interface UnauthenticatedCalls {
  readonly ways: readonly LoginWay[];
  /** every operation without credentials */
  readonly anonymous: readonly Attempt[];
  /** some with made-up credentials; not many, because agents may lock out callers that guess */
  readonly forged: readonly (Attempt & { readonly scheme: string })[];
}

export const unauthenticatedCalls = observation<UnauthenticatedCalls>({
  name: "calls without good credentials",
  messages: 0,
  async make(target) {
    const ways = loginOf(target.facts);
    if (!ways) throw concernsNobody("the card asks for no authentication");
    if (usesCertificates(target.facts)) {
      throw skipped("credentials", "callers are known by their certificate, which goes with every connection");
    }
    const withoutLogin = target.as("anonymous")!;
    const attempt = async (operation: Operation, headers: HeaderPairs = []): Promise<Attempt> => ({
      operation,
      claimed: isClaimed(operation, target),
      call: await ask(withoutLogin, operation, plainParams(target, operation), { headers }),
    });
    const anonymous: Attempt[] = [];
    for (const operation of operationsOf(target.on)) anonymous.push(...(await sentCalls([attempt(operation)])));
    // A call that succeeds with good credentials; before 1.0 only a message does.
    const plain: Operation = hasOperation(target.on, "ListTasks") ? "ListTasks" : "SendMessage";

    const forged: (Attempt & { scheme: string })[] = [];
    const withScheme = async (scheme: string, made: Promise<Attempt>): Promise<void> => {
      for (const one of await sentCalls([made])) forged.push({ scheme, ...one });
    };
    for (const [index, { scheme, forge }] of ways.filter((way) => way.forge).entries()) {
      const some: readonly Operation[] = index === 0 ? [plain, "GetTask", "SendMessage"] : [plain];
      for (const operation of new Set(some)) await withScheme(scheme, attempt(operation, forge!()));
    }
    const unheardOf: HeaderPairs = [["Authorization", `Assay ${target.unknownId()}`]];
    await withScheme("one that the card does not declare", attempt(plain, unheardOf));
    return { ways, anonymous, forged };
  },
});

/** Nothing but the caller is wrong with the request, as far as it can do no harm: a message names no unknown task. */
const plainParams = (target: Target, operation: Operation): JsonObject =>
  operation === "SendMessage" || operation === "SendStreamingMessage"
    ? // A message of ours is JSON.
      { message: target.message("task") as unknown as JsonObject }
    : paramsFor(target, operation);
