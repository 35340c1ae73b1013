/** One kind of agent as a sweep meets it. */
interface AgentKind {
  readonly name: string;
  /** of all agents */
  readonly share: number;
  /** seconds that one examination takes, from its turn to its verdict */
  readonly seconds: number;
  /** times that it is tried in all */
  readonly tries: number;
}

/**
 * What a registry's agents are like. That a fifth of them answers a plain message is what has been published of one registry; how the rest
 * is divided is our guess, on the dear side: more time-outs than are likely. Seconds of those that answer are measured
 * (`npm run bench -- fleet`) with a way to the agent and back of 100 ms in place of none; a time-out is 10 s of silence.
 */
export const agentKinds: readonly AgentKind[] = [
  { name: "answer", share: 0.25, seconds: 6, tries: 1 },
  { name: "ask for a login", share: 0.15, seconds: 2, tries: 1 },
  { name: "card missing or invalid", share: 0.25, seconds: 1, tries: 1 },
  { name: "something else there", share: 0.1, seconds: 2, tries: 1 },
  { name: "not reached", share: 0.15, seconds: 1, tries: 3 },
  { name: "time out", share: 0.1, seconds: 12, tries: 3 },
];

/** Hosts: the largest platforms have this part of all agents each; the others are alone, or few, on their hosts. */
export const largeHosts: readonly number[] = [0.1, 0.05, 0.03, 0.02];
export const agentsOnSmallHosts = 3;

/** Pauses before an agent is tried for the second and the third time, seconds. */
export const retryPauses: readonly number[] = [60, 300];
