import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import type { HeaderPairs, Secret } from "@assay/wire";
import type { JudgingProxyOptions } from "../proxy.ts";
import type { PassedCall } from "../sight.ts";
import type { CanceledAcross } from "./cancel-across.ts";
import { type CommonGround, commonGround, type Direction } from "./common-ground.ts";
import { introduce, meet } from "./met-agent.ts";
import type { StandIn } from "./stand-in.ts";
import { understanding } from "./understanding.ts";
import { openWay } from "./way.ts";

/** One of the two agents. */
export interface InteropAgent {
  /** the agent, its card, or its host */
  readonly url: string;
  /** credentials, sent only to that address */
  readonly headers?: HeaderPairs;
  /** the prompt that makes it call another agent, with {url} and {text} (default: the skill `relay` of the test bed) */
  readonly relay?: string;
  /** a prompt that starts slow work (default: that of the test bed) */
  readonly slow?: string;
}

export interface InteropOptions {
  readonly a: InteropAgent;
  readonly b: InteropAgent;
  /** the version of Assay */
  readonly version: string;
  /** how to reach the agents, and which hosts are blocked */
  readonly connection: JudgingProxyOptions["connection"];
  readonly secrets?: readonly Secret[];
  /** where the proxies between the agents listen, and the name under which the agents reach them */
  readonly host: string;
  /** the client of an agent that cannot be made to call another (default: such a direction is not tried) */
  readonly standIn?: StandIn;
  /** also cancel a task while the other agent works for it */
  readonly cancel?: boolean;
  /** number of simultaneous messages in each direction */
  readonly atOnce?: number;
  /** the message that the agents exchange */
  readonly text?: string;
  /** timeout of one message in milliseconds */
  readonly taskTimeout?: number;
  /** prefix of exchange ids, if the run has other exchanges */
  readonly idPrefix?: string;
  readonly signal?: AbortSignal;
  /** called with the current step */
  onProgress?(text: string): void;
}

/** The result of one kind of message. */
export interface Exchanged {
  readonly how: "one after the other" | "at the same time";
  readonly sent: number;
  readonly answered: number;
  /** reasons for missing answers, each once */
  readonly because: readonly string[];
}

/** The traffic from clients of one agent to the other. */
export interface InteropDirection {
  readonly direction: Direction;
  readonly from: string;
  readonly to: string;
  /** why it shows nothing about the two agents: it was not tried, or no call reached the other agent */
  readonly untried?: string;
  /** the client that takes the place of `from`, which cannot be made to call another agent */
  readonly standIn?: string;
  readonly exchanged: readonly Exchanged[];
  readonly canceled?: CanceledAcross;
  readonly calls: readonly PassedCall[];
  /** the run of the proxy between them: `from` is its client, `to` its agent */
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport | undefined;
}

const understandings = ["yes", "no", "unknown"] as const;

/** The verdict on the use of one agent by a client of the other, with reasons. */
export interface Understanding {
  readonly direction: Direction;
  readonly is: (typeof understandings)[number];
  readonly because: readonly string[];
  /** the client that was tried instead of the agent's own */
  readonly standIn?: string;
}

export interface Interop {
  readonly a: { readonly name: string; readonly version: string; readonly url: string };
  readonly b: Interop["a"];
  readonly ground: CommonGround;
  readonly directions: readonly InteropDirection[];
  readonly understandings: readonly Understanding[];
}

const oneByOne = 2;

/** Lets two agents talk to each other in both directions, through proxies that judge the traffic. */
export async function interop(options: InteropOptions): Promise<Interop> {
  const a = await meet(options.a, options);
  const b = await meet(options.b, options).catch(async (error: unknown) => {
    await a.clients.close();
    throw error;
  });
  try {
    const ground = commonGround(a.card, b.card);
    const ways = [await openWay("a-to-b", a, b, options), await openWay("b-to-a", b, a, options)];
    for (const way of ways) {
      options.onProgress?.(`${way.from} → ${way.to}, one after the other`);
      await way.inTurn(oneByOne);
    }
    options.onProgress?.("both directions at once");
    await Promise.all(ways.map((way) => way.atOnce(options.atOnce ?? 4)));
    if (options.cancel) {
      options.onProgress?.("a task that is canceled");
      for (const way of ways) await way.cancel();
    }
    const directions = await Promise.all(ways.map((way) => way.end()));
    return {
      a: introduce(a),
      b: introduce(b),
      ground,
      directions,
      understandings: directions.map((each) => understanding(each, ground)),
    };
  } finally {
    await Promise.all([a.clients.close(), b.clients.close()]);
  }
}
