import type { JsonObject } from "@assay/protocol";
import { loginHint, paymentHint } from "@assay/wire";
import type { Call } from "../../call.ts";
import { namedLogins } from "../../observations/login.ts";
import { asObject } from "../../reading.ts";
import type { ResumedRun } from "../../report/events.ts";
import { bindingName } from "../../report/group.ts";
import type { InterfaceName } from "../../report/result.ts";

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

/** The agent answered, and then no longer: since when. The first request that got no answer need not be the cause. */
export function goneMessage({ exchange, operation, on }: Call): { message: string; hint: string } {
  const number = exchange.id.replace(/\D/g, "");
  const what = `${operation ?? exchange.http.request.method} over ${bindingName(on.binding)}`;
  return {
    message: `The agent stopped answering: since request ${number}, ${what}, no interface of it did.`,
    hint: 'Is it still running, and what did it write last? assay test --start "<command>" starts it and tells.',
  };
}

export const timeOverMessage = (ms: number): { message: string; hint: string } => ({
  message: `The run was ended after ${Math.round(ms / 1000)} s, as --max-time says; the rules left are not examined.`,
  hint: "Give it more time (--max-time <seconds>), or less to do: --depth free, --only <rules>",
});

/** Of an agent that we started. */
export const restartedNote = (ending: string): string =>
  `${ending}. It was started again, and the requests that were under way are repeated one at a time.`;

/** What a run says that goes on with another. */
export const resumedNote = ({ run, results, workingMessages }: ResumedRun): string =>
  `Goes on with run ${run}: ${results} results and ${workingMessages} messages are from there. Its observations are made again where they are needed.`;
