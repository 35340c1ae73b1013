import type { JsonValue } from "@assay/protocol";
import { LiveStream } from "../define/live-stream.ts";
import { Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import { EndedStream, type Packer, Unpackable, type Unpacker } from "./packing.fixture.ts";
import type { RecordedTarget } from "./recording.fixture.ts";

const members = [
  "on",
  "facts",
  "principal",
  "showsCredentials",
  "showsCertificate",
  "strict",
  "production",
  "expectations",
  "grace",
  "quiet",
  "lag",
  "taskTimeout",
] as const;
const lists = ["sameVersion", "otherVersions"] as const;
const instant = ["hasPrompt", "message", "unknownId", "now", "say", "messagesLeft", "knownTask", "configsOf"] as const;
const awaited = ["call", "open", "http", "fetch", "raw", "send", "stream", "shakeHands", "observe"] as const;
const ofWebhook = ["reachable", "isFlooded", "dropped", "declared"] as const;
const turns = ["as", "under"] as const;

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

/** Replaces a value that cannot be recorded. A check that uses it is not recorded. */
const unwritten = Symbol("unwritten");

/** The part of a request that distinguishes it from others. */
function nameOf(act: string, args: readonly unknown[]): string {
  const [first] = args;
  if (typeof first === "string") return `${act} ${first}`;
  if (typeof first === "object" && first !== null && "name" in first) return `${act} ${String(first.name)}`;
  return act;
}

/** A target that records its requests and responses. `written` returns them when the check is done. */
export class TargetTape {
  readonly #members = new Map<string, unknown>();
  readonly #answers: [what: string, answer: unknown][] = [];

  around(target: Target, path = ""): Target {
    return new Proxy(target, { get: (_, name) => this.#get(target, path, String(name)) });
  }

  /** Closes the streams that the check opened: only whole calls can be recorded. */
  async settle(): Promise<void> {
    for (const entry of this.#answers) {
      const [, answer] = entry;
      if (!(answer instanceof LiveStream)) continue;
      entry[1] = await answer.hangUp().then(
        (call) => new EndedStream(call),
        () => answer,
      );
    }
  }

  /** Throws if something happened that cannot be recorded. */
  written(packer: Packer): RecordedTarget {
    return {
      members: Object.fromEntries([...this.#members].map(([name, value]) => [name, packer.pack(value)])),
      answers: this.#answers.map(([what, answer]) => [what, packer.pack(answer)] as const),
    };
  }

  #get(target: Target, path: string, name: string): unknown {
    const place = `${path}${name}`;
    if (isOneOf(members, name)) return this.#noted(place, target[name]);
    if (isOneOf(lists, name)) {
      const targets = target[name];
      this.#members.set(place, targets.length);
      return targets.map((each, index) => this.around(each, `${place}[${index}].`));
    }
    if (name === "invalidCallers") {
      const callers = target[name];
      this.#noted(
        place,
        callers.map(({ flaw }) => flaw),
      );
      return callers.map(({ flaw, caller, besides }, index) => ({
        flaw,
        caller: this.around(caller, `${place}[${index}].caller.`),
        besides: this.around(besides, `${place}[${index}].besides.`),
      }));
    }
    if (name === "webhook") return target.webhook && this.#webhook(target.webhook, place);
    if (name === "sleep") return (ms: number) => target.sleep(ms);
    // Requests made while waiting go to this target, too, and are recorded.
    if (name === "due")
      return (...[what, wait, hasCome]: Parameters<Target["due"]>) =>
        target.due(what, (withinMs) => wait(this.#noted(`${place} ${what}`, withinMs)), hasCome);
    // Their arguments and results vary, and are only passed on.
    const act = Reflect.get(target, name, target) as unknown;
    if (typeof act !== "function") {
      if (act !== undefined) this.#noted(place, unwritten);
      return act;
    }
    const call = (args: readonly unknown[]): unknown => Reflect.apply(act, target, args) as unknown;
    if (isOneOf(turns, name)) return (...args: unknown[]) => this.#turn(nameOf(place, args), call(args));
    if (isOneOf(instant, name)) return (...args: unknown[]) => this.#answered(nameOf(place, args), call(args));
    if (isOneOf(awaited, name)) return (...args: unknown[]) => this.#awaited(nameOf(place, args), call(args));
    return (...args: unknown[]) => {
      this.#noted(place, unwritten);
      return call(args);
    };
  }

  #webhook(webhook: WebhookReceiver, place: string): WebhookReceiver {
    this.#noted(place, true);
    return new Proxy(webhook, {
      get: (_, member) => {
        const name = String(member);
        if (isOneOf(ofWebhook, name)) return this.#noted(`${place}.${name}`, webhook[name]);
        return (...args: Parameters<WebhookReceiver["mailbox"]>) =>
          this.#answered(`${place}.mailbox`, webhook.mailbox(...args));
      },
    });
  }

  #noted<T>(place: string, value: T): T {
    this.#members.set(place, value);
    return value;
  }

  #turn(what: string, other: unknown): unknown {
    this.#noted(what, other !== undefined);
    return other === undefined ? undefined : this.around(other as Target, `${what}.`);
  }

  #answered(what: string, answer: unknown): unknown {
    this.#answers.push([what, answer]);
    return answer;
  }

  async #awaited(what: string, answer: unknown): Promise<unknown> {
    const entry: [string, unknown] = [what, undefined];
    this.#answers.push(entry);
    try {
      entry[1] = await answer;
      return entry[1];
    } catch (error) {
      entry[1] = error;
      throw error;
    }
  }
}

/** A target that replays the recorded responses in order. */
export function replayTarget({ members: known, answers }: RecordedTarget, { unpack }: Unpacker, path = ""): Target {
  const queues = new Map<string, JsonValue[]>();
  for (const [what, answer] of answers) queues.set(what, [...(queues.get(what) ?? []), answer]);

  const answer = (what: string): unknown => {
    const next = queues.get(what)?.shift();
    if (next === undefined) throw new Unpackable(`"${what}" was not asked so often when this was recorded`);
    const value = unpack(next);
    if (value instanceof Obstacle) throw value;
    return value;
  };
  const webhook = (place: string): WebhookReceiver =>
    new Proxy({} as WebhookReceiver, {
      get(_, member) {
        const name = `${place}.${String(member)}`;
        return member === "mailbox" ? () => answer(name) : unpack(known[name] ?? null);
      },
    });
  const around = (place: string): Target =>
    new Proxy({} as Target, {
      get(_, member) {
        const name = `${place}${String(member)}`;
        const short = String(member);
        if (isOneOf(lists, short))
          return Array.from({ length: Number(known[name] ?? 0) }, (__, index) => around(`${name}[${index}].`));
        if (short === "invalidCallers")
          return ((known[name] ?? []) as readonly string[]).map((flaw, index) => ({
            flaw,
            caller: around(`${name}[${index}].caller.`),
            besides: around(`${name}[${index}].besides.`),
          }));
        if (short === "webhook") return known[name] === true ? webhook(name) : undefined;
        if (short === "sleep") return async () => {};
        if (short === "due")
          return (...[what, wait]: Parameters<Target["due"]>) =>
            wait(Number(known[`${name} ${what}`] ?? known["grace"] ?? 0));
        if (isOneOf(turns, short)) {
          return (...args: unknown[]) => {
            const what = nameOf(name, args);
            return known[what] === true ? around(`${what}.`) : undefined;
          };
        }
        if (isOneOf(instant, short)) return (...args: unknown[]) => answer(nameOf(name, args));
        if (isOneOf(awaited, short)) return async (...args: unknown[]) => answer(nameOf(name, args));
        const value = known[name];
        if (value === undefined && isOneOf(members, short))
          throw new Unpackable(`"${name}" was not read when this was recorded`);
        return value === undefined ? undefined : unpack(value);
      },
    });
  return around(path);
}
