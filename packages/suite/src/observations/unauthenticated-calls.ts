import type { JsonObject, Operation } from "@assay/protocol";
import { hasOperation, operationsOf } from "../answers/operations-of.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { How, Target } from "../define/target.ts";
import { isTurnedAway, type LoginWay, loginOf, mayBeVouchedFor } from "./login.ts";
import { sendParams } from "./sending.ts";
import { sentCalls } from "./sent-calls.ts";
import { ask, isClaimed, paramsFor } from "./unknown-task.ts";

/** A call without valid credentials. */
export interface Attempt {
  readonly operation: Operation;
  /** the card declares this operation */
  readonly claimed: boolean;
  readonly call: Call;
}

/** The responses to callers without valid credentials. */
export interface UnauthenticatedCalls {
  readonly ways: readonly LoginWay[];
  /** every operation without credentials */
  readonly anonymous: readonly Attempt[];
  /** some with invented credentials; few, because agents may lock out callers that guess */
  readonly forged: readonly ForgedAttempt[];
  /** a successful call proves nothing, because something on the way may present a certificate for every caller */
  readonly vouchedFor: boolean;
}

export interface ForgedAttempt extends Attempt {
  readonly scheme: string;
  /** the flaw of credentials that were tampered with, or given as invalid by the operator */
  readonly flaw?: string;
}

export const unauthenticatedCalls = observation<UnauthenticatedCalls>("calls without valid credentials", {
  withoutLogin: true,
  async make(target) {
    const ways = loginOf(target.facts);
    if (!ways) throw doesNotApply("the card asks for no authentication");
    const withoutLogin = target.as("anonymous")!;
    const attempt = async (operation: Operation, how: How = {}, caller = withoutLogin): Promise<Attempt> => ({
      operation,
      claimed: isClaimed(operation, target),
      call: await ask(caller, operation, plainParams(target, operation), { headers: [], ...how }),
    });
    const anonymous: Attempt[] = [];
    for (const operation of operationsOf(target.on)) anonymous.push(...(await sentCalls([attempt(operation)])));
    // A call that succeeds with valid credentials; before 1.0 only a message does.
    const plain: Operation = hasOperation(target.on, "ListTasks") ? "ListTasks" : "SendMessage";

    const forged: ForgedAttempt[] = [];
    const withScheme = async (scheme: string, made: Promise<Attempt>): Promise<void> => {
      for (const one of await sentCalls([made])) forged.push({ scheme, ...one });
    };
    for (const [index, { scheme, forge }] of ways.filter((way) => way.forge).entries()) {
      const some: readonly Operation[] = index === 0 ? [plain, "GetTask", "SendMessage"] : [plain];
      for (const operation of new Set(some)) await withScheme(scheme, attempt(operation, forge!()));
    }
    const unheardOf: How = { headers: [["Authorization", `Assay ${target.unknownId()}`]] };
    await withScheme("one that the card does not declare", attempt(plain, unheardOf));
    // Credentials that look issued by the agent, so that it has to verify them.
    for (const { flaw, caller, besides } of target.invalidCallers) {
      const [shown] = await sentCalls([attempt(plain, { fresh: true }, caller)]);
      if (!shown || (isServed(shown.call) && !(await isServedForThem(attempt, plain, caller, besides)))) continue;
      forged.push({ scheme: "credentials that the user sends", flaw, ...shown });
    }
    return { ways, anonymous, forged, vouchedFor: mayBeVouchedFor(target.facts, target.on) };
  },
});

const isServed = ({ reply }: Call): boolean => reply.is === "result";

/**
 * Returns true if these credentials grant access: they do so again, and what accompanies them alone does not. Each
 * uses its own connection, because the connection may identify the caller.
 */
async function isServedForThem(
  attempt: (operation: Operation, how: How, caller: Target) => Promise<Attempt>,
  operation: Operation,
  caller: Target,
  besides: Target,
): Promise<boolean> {
  const [control, again] = await sentCalls([
    attempt(operation, { fresh: true }, besides),
    attempt(operation, { fresh: true }, caller),
  ]);
  return control !== undefined && again !== undefined && isTurnedAway(control.call) && isServed(again.call);
}

/** Returns harmless valid parameters, so that only the caller is wrong. */
const plainParams = (target: Target, operation: Operation): JsonObject =>
  operation === "SendMessage" || operation === "SendStreamingMessage"
    ? sendParams(target)
    : paramsFor(target, operation);
