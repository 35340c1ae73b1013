import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isResting, type Message, type Task } from "@assay/protocol";
import type { Peer, PeerAnswer } from "@assay/wire";

/** A client that makes single calls to one agent. */
export type AgentCaller = Pick<Peer, "call">;

/** The result of one relayed message. */
export type RelayOutcome =
  | { readonly is: "answered"; readonly text: string }
  | { readonly is: "failed"; readonly because: string };

const pollMs = { first: 100, most: 2_000 };

/** Sends a message to an agent and waits until its task is finished. */
export async function say(
  peer: AgentCaller,
  text: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<RelayOutcome> {
  const answer = await peer.call("SendMessage", { message: messageOf(text) }, signal);
  if (answer.is !== "value") return { is: "failed", because: troubleIn(answer) };
  const { message: said, task } = answer.value;
  if (said) return { is: "answered", text: textOf(said.parts) };
  const deadline = Date.now() + timeoutMs;
  let latest: Task = task!;
  for (let pause = pollMs.first; !isResting(latest.status.state); pause = Math.min(2 * pause, pollMs.most)) {
    if (Date.now() > deadline) return { is: "failed", because: `its task is still ${stateOf(latest)}` };
    await wait(pause, undefined, signal && { signal });
    const polled = await peer.call("GetTask", { id: latest.id }, signal);
    if (polled.is !== "value") return { is: "failed", because: troubleIn(polled) };
    latest = polled.value;
  }
  const { artifacts = [], status } = latest;
  const whole = textOf([...artifacts.flatMap(({ parts }) => parts), ...(status.message?.parts ?? [])]);
  return status.state === "TASK_STATE_COMPLETED"
    ? { is: "answered", text: whole }
    : { is: "failed", because: `its task is ${stateOf(latest)}${whole ? `: ${whole}` : ""}` };
}

export const messageOf = (text: string): Message => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
});

export const stateOf = ({ status }: Task): string => status.state.replace(/^TASK_STATE_/, "").toLowerCase();

const textOf = (parts: readonly { readonly text?: string }[]): string =>
  parts.flatMap(({ text }) => text ?? []).join("\n");

/** Explains why a call has no result. */
export function troubleIn(answer: Exclude<PeerAnswer<unknown>, { is: "value" }>): string {
  switch (answer.is) {
    case "error":
      return `it returned an error: ${answer.error.message}`;
    case "malformed":
      return answer.because;
    case "invalid":
      return `its response violates the schema at ${answer.violations[0]?.path}`;
    case "failure":
      return answer.failure.message;
  }
}
