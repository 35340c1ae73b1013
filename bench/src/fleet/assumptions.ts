/** One kind of agent in a sweep. */
interface AgentKind {
  readonly name: string;
  /** its share of all agents */
  readonly share: number;
  /** duration of one examination in seconds */
  readonly seconds: number;
  /** total number of attempts */
  readonly tries: number;
}

/**
 * The assumed agents of a registry. A published study of one registry found that a fifth of its agents answer a plain
 * message. The other shares are guesses with more timeouts than are likely. The seconds of agents that answer are
 * measured (`npm run bench -- fleet`), plus a round trip of 100 ms. A timeout is 10 s of silence.
 */
export const agentKinds: readonly AgentKind[] = [
  { name: "answer", share: 0.25, seconds: 6, tries: 1 },
  { name: "ask for a login", share: 0.15, seconds: 2, tries: 1 },
  { name: "card missing or invalid", share: 0.25, seconds: 1, tries: 1 },
  { name: "something else there", share: 0.1, seconds: 2, tries: 1 },
  { name: "not reached", share: 0.15, seconds: 1, tries: 3 },
  { name: "time out", share: 0.1, seconds: 12, tries: 3 },
];

/** Shares of all agents on the largest platforms. The other agents have hosts of their own, or share them with few. */
export const largeHosts: readonly number[] = [0.1, 0.05, 0.03, 0.02];
export const agentsOnSmallHosts = 3;

/** Seconds of pause before the second and the third attempt. */
export const retryPauses: readonly number[] = [60, 300];
