import { isLoopback } from "@assay/protocol";
import { addressKind } from "@assay/wire";
import { errorOf, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { sendInVain } from "./sending.ts";
import { ifSent } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";

/** A file by reference on a private address of Assay, and whether the agent fetched it. */
interface FileOnPrivateAddress {
  /** the address as written */
  readonly address: string;
  readonly call: Call;
  readonly fetched: WebhookDelivery | undefined;
}

/** Only the local network resolves a name without a dot. */
const isInside = (host: string): boolean => isLoopback(host) || !/[.:]/.test(host) || addressKind(host) === "private";

/** Returns spellings of one private host that filters may miss. All lead to Assay's receiver. */
export function spellingsOf(host: string): readonly string[] {
  const bytes = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)?.slice(1).map(Number);
  if (!bytes) return [host];
  const whole = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const octal = bytes.map((byte) => `0${byte.toString(8)}`).join(".");
  const common = [host, `${whole}`, `0x${whole.toString(16).padStart(8, "0")}`, octal, `[::ffff:${host}]`];
  return host === "127.0.0.1" ? [...common, "localhost", "127.1", "0.0.0.0"] : common;
}

export const fileOnPrivateAddress = observation<readonly FileOnPrivateAddress[]>("files on private addresses", {
  messages: 1,
  prompts: ["task"],
  rank: 8,
  async make(target) {
    const { webhook } = target;
    const base = webhook && new URL(webhook.mailbox().url);
    if (!base || !isInside(base.hostname)) {
      throw skipped(
        "webhook",
        "the receiver is not on a private address, so a request for the file would prove nothing",
      );
    }
    const place = (spelling: string): Placed => {
      const box = webhook.mailbox();
      // As text, because URL would normalise it.
      return { box, address: box.url.replace(base.host, base.host.replace(base.hostname, spelling)) };
    };
    const all = spellingsOf(base.hostname).map(place);
    const call = await target.send("task", { parts: partsWith(target, all) });
    const last = await ended(target, call);
    const tries = all.map(({ address, box }) => ({ address, call, fetched: box.deliveries[0] }));
    if (tries.some(({ fetched }) => fetched) || !isRefused(call, last)) return tries;
    // One rejected address hides the others, so each gets its own message while there are any.
    for (const spelling of spellingsOf(base.hostname).slice(1)) {
      const alone = await ifSent(tryAlone(target, place(spelling)));
      if (!alone) break;
      tries.push(alone);
      if (alone.fetched) break;
    }
    return tries;
  },
});

interface Placed {
  readonly address: string;
  readonly box: Mailbox;
}

const partsWith = (target: Target, placed: readonly Placed[]) => [
  ...target.message("task").parts,
  ...placed.map(({ address }, index) => ({ url: address, mediaType: "text/plain", filename: `note-${index}.txt` })),
];

/** Waits for the end of the task, and for the files that it may request. */
async function ended(target: Target, call: Call): Promise<LooseTask | undefined> {
  const task = taskIn(call);
  const last = task && (await follow(target, task)).last;
  if (task || messageIn(call)) await target.sleep(target.quiet);
  return last ?? task;
}

const isRefused = (call: Call, last: LooseTask | undefined): boolean =>
  errorOf(call) !== undefined || last?.state === "TASK_STATE_REJECTED" || last?.state === "TASK_STATE_FAILED";

async function tryAlone(target: Target, placed: Placed): Promise<FileOnPrivateAddress> {
  const call = await sendInVain(target, { parts: partsWith(target, [placed]) });
  await ended(target, call);
  return { address: placed.address, call, fetched: placed.box.deliveries[0] };
}

/** Addresses that an agent must never fetch for a client, and a pattern of their content. */
const addresses = [
  { url: "http://169.254.169.254/latest/meta-data/", shows: /\bami-id\b.*\binstance-id\b/s },
  { url: "file:///etc/passwd", shows: /\broot:[^:]*:0:0:/ },
] as const;

/** References to other hosts, and their content in the agent's response. */
interface ThirdPartyFiles {
  readonly call: Call;
  /** the address whose content is in the response */
  readonly shown: string | undefined;
}

export const thirdPartyFiles = observation<ThirdPartyFiles>("files on a metadata service and on the agent's host", {
  messages: 1,
  prompts: ["task"],
  rank: 9,
  contacts: addresses.map(({ url }) => url),
  async make(target) {
    const files = addresses.map(({ url }, index) => ({ url, mediaType: "text/plain", filename: `${index}.txt` }));
    const call = await target.send("task", { parts: [...target.message("task").parts, ...files] });
    const task = taskIn(call);
    const last = task && (await follow(target, task)).last;
    const text = JSON.stringify(last?.json ?? messageIn(call) ?? {});
    return { call, shown: addresses.find(({ shows }) => shows.test(text))?.url };
  },
});
