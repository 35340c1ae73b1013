import type { JsonObject } from "@assay/protocol";
import { loginHint, paymentHint } from "@assay/wire";
import { asObject } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { namedLogins } from "../../observations/login.ts";
import type { ResumedRun } from "../../report/events.ts";
import { bindingName } from "../../report/group.ts";
import type { InterfaceName } from "../../report/result.ts";
import type { Outage } from "../run-context.ts";
import type { CrashKind } from "../target/crash-trials.ts";

/** The message of a run that could not examine the agent: what happened, and what to do next. */
export interface EndingMessage {
  readonly message: string;
  readonly hint: string;
}

/** No interface could be tested: lists the reasons. */
export function noUsableMessage(reasons: readonly UntestedInterface[]): EndingMessage {
  const told = reasons.slice(0, 5).map((each) => untestedNote(each));
  const enable = reasons.find((each) => each.enable !== undefined)?.enable;
  return {
    message: `${told.join(" ")} Assay cannot test any interface of the card.`,
    hint: enable ?? "Check that clients can reach the address on the card. assay card <url> shows it.",
  };
}

/** An interface that could not be tested, which is not the agent's fault. */
export interface UntestedInterface {
  readonly on: InterfaceName;
  readonly because: string;
  readonly enable?: string | undefined;
}

export const untestedNote = ({ on: { binding, dialect, url }, because }: UntestedInterface): string =>
  `${binding} ${dialect} at ${url} was not tested: ${because.replace(/\.?$/, ".")}`;

/** Every interface asks for a login: quotes the response and the schemes of the card. */
export function loginMessage(because: string, card: JsonObject): EndingMessage {
  const schemes = Object.keys(asObject(card["securitySchemes"]) ?? {});
  const names = [...schemes, ...namedLogins(card)].slice(0, 5);
  const asks = names.length ? `; its card names ${names.map((name) => JSON.stringify(name)).join(", ")}` : "";
  return { message: `${sentenceCase(because)}${asks}.`, hint: loginHint };
}

/** Every interface asks for payment. */
export const paymentMessage = (because: string): EndingMessage => ({
  message: `${sentenceCase(because)}.`,
  hint: paymentHint,
});

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Maximum number of suspects in a message. */
const mostNamed = 3;

/** The agent stopped answering: lists the requests that may have caused it. */
export const goneMessage = (suspects: readonly Call[], reproduce: Reproduce): EndingMessage => ({
  message: `The agent stopped answering on every interface. ${suspectsNamed(suspects, reproduce)}`,
  hint: 'Check whether the agent is still running and what it logged last. With assay test --start "<command>", Assay starts the agent, restarts it after a crash, and finds out which request it crashes on.',
});

/** Returns the shell command that repeats a request. */
export type Reproduce = (call: Call) => string | undefined;

function suspectsNamed(suspects: readonly Call[], reproduce: Reproduce): string {
  if (suspects.length === 0) return "Assay sent no request just before that.";
  const more = suspects.length > mostNamed ? ` And ${suspects.length - mostNamed} more.` : "";
  return `Suspects, the last requests: ${numbered(suspects.slice(0, mostNamed), reproduce)}${more}`;
}

/** "(1) request 34, malformed on purpose: ListTasks over JSON-RPC. Reproduce: curl …" */
function numbered(calls: readonly Call[], reproduce: Reproduce): string {
  const named = calls.map((call, index) => {
    const line = reproduce(call);
    return `(${index + 1}) ${requestNamed(call)}${line === undefined ? "." : `. Reproduce: ${line}`}`;
  });
  return named.join(" ");
}

function requestNamed({ exchange, operation, on, fair }: Call): string {
  const number = exchange.id.replace(/\D/g, "");
  const what = `${operation ?? exchange.http.request.method} over ${bindingName(on.binding)}`;
  return `request ${number}, ${fair ? "" : "malformed on purpose: "}${what}`;
}

export const timeOverMessage = (ms: number): { message: string; hint: string } => ({
  message: `The run reached its time limit of ${Math.round(ms / 1000)} s (--max-time). The remaining rules are not examined.`,
  hint: "Raise the limit (--max-time <seconds>), or test less: --depth free, --only <rules>",
});

/** The agent went down and came back: reports the cause if Assay found it. */
export function outageNote({ ending, crashes, suspects }: Outage, reproduce: Reproduce): string {
  const what = ending === undefined ? "" : `${ending}. Assay started it again. `;
  const named = (...kinds: readonly CrashKind[]): string => {
    const calls = crashes.filter(({ how }) => kinds.includes(how)).map(({ call }) => call);
    return numbered(calls, reproduce);
  };
  const [deadly, cut] = [named("exit", "exit-after-response"), named("closed-connection")];
  const told = [
    deadly && `It crashes on: ${deadly}`,
    cut && `The agent closes the connection without a response to: ${cut}`,
  ];
  if (crashes.length) return `${what}${told.filter(Boolean).join(" ")}`;
  return `${what}No request is proven to end it. ${suspectsNamed(suspects, reproduce)}`;
}

/** The process exited during the run, and Assay could not find the cause. */
export const exitedMessage = ({ ending, suspects }: Outage, times: number, reproduce: Reproduce): EndingMessage => ({
  message: `The process exited ${times === 1 ? "once" : `${times} times`} during the run, and no request is proven to end it. ${ending}. ${suspectsNamed(suspects, reproduce)}`,
  hint: "Check what the agent logged before it exited, and send the suspects to it by hand. Then run the test again.",
});

/** The note of a resumed run. */
export const resumedNote = ({ run, results, workingMessages }: ResumedRun): string =>
  `Resumes run ${run}, with ${results} results and ${workingMessages} messages from it. Assay repeats its observations where it needs them.`;
