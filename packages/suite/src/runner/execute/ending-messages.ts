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

/** What is said of a run that could not examine what matters: what was seen, and what to do next. */
export interface EndingMessage {
  readonly message: string;
  readonly hint: string;
}

/** None of the interfaces could be asked anything: why, each in its own words. */
export function noUsableMessage(reasons: readonly UntestedInterface[]): EndingMessage {
  const told = reasons.slice(0, 5).map((each) => untestedNote(each));
  const enable = reasons.find((each) => each.enable !== undefined)?.enable;
  return {
    message: `${told.join(" ")} No interface of the card can be tested.`,
    hint: enable ?? "Is the address on the card the one that clients can reach? assay card <url> shows it.",
  };
}

/** An interface at which nothing could be asked, by no fault of the agent. */
export interface UntestedInterface {
  readonly on: InterfaceName;
  readonly because: string;
  readonly enable?: string | undefined;
}

export function untestedNote({ on: { binding, dialect, url }, because }: UntestedInterface): string {
  // An address stays as it is written.
  const cause = because.startsWith(url) ? because : sentenceCase(because);
  const at = because.includes(url) ? "" : ` at ${url}`;
  return `${cause.replace(/\.?$/, ".")} ${binding} ${dialect}${at} was not tested.`;
}

/** Every interface asks for a login: how it does, and what the card says about it. */
export function loginMessage(because: string, card: JsonObject): EndingMessage {
  const schemes = Object.keys(asObject(card["securitySchemes"]) ?? {});
  const names = [...schemes, ...namedLogins(card)].slice(0, 5);
  const asks = names.length ? `; its card names ${names.map((name) => JSON.stringify(name)).join(", ")}` : "";
  return { message: `${sentenceCase(because)}${asks}.`, hint: loginHint };
}

/** Every interface asks for money first. */
export const paymentMessage = (because: string): EndingMessage => ({
  message: `${sentenceCase(because)}.`,
  hint: paymentHint,
});

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How many suspects are named. */
const mostNamed = 3;

/** The agent answered, and then no longer: the requests that may have ended it. */
export const goneMessage = (suspects: readonly Call[], reproduce: Reproduce): EndingMessage => ({
  message: `The agent stopped answering on every interface. ${suspectsNamed(suspects, reproduce)}`,
  hint: 'Check whether the agent is still running and what it logged last. With assay test --start "<command>", Assay starts the agent, restarts it after a crash, and finds out which request it crashes on.',
});

/** The line for the shell that sends a request again. */
export type Reproduce = (call: Call) => string | undefined;

function suspectsNamed(suspects: readonly Call[], reproduce: Reproduce): string {
  if (suspects.length === 0) return "No request came just before.";
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
  message: `The run was ended after ${Math.round(ms / 1000)} s, as --max-time says; the rules left are not examined.`,
  hint: "Give it more time (--max-time <seconds>), or less to do: --depth free, --only <rules>",
});

/** The agent went down and is back: what Assay found out about the cause. */
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

/** The process exited in the run, and Assay could not find out why. */
export const exitedMessage = ({ ending, suspects }: Outage, times: number, reproduce: Reproduce): EndingMessage => ({
  message: `The process exited ${times === 1 ? "once" : `${times} times`} during the run, and no request is proven to end it. ${ending}. ${suspectsNamed(suspects, reproduce)}`,
  hint: "Check what the agent logged before it exited, and send the suspects to it by hand. Then run the test again.",
});

/** What a run says that goes on with another. */
export const resumedNote = ({ run, results, workingMessages }: ResumedRun): string =>
  `Goes on with run ${run}: ${results} results and ${workingMessages} messages are from there. Its observations are made again where they are needed.`;
