import { valueAt } from "../../values/path.ts";
import { cached, labelled, valid } from "./answers.ts";
import type { Duty } from "./duty.ts";
import { atLeastOnce, inTheFormat, turnsAwayStrangers, withToken } from "./notifications.ts";
import { closeOneOfTwo, compareStreams, dropAndComeBack } from "./streams.ts";

/** By the id of the test. */
export const duties: Readonly<Record<string, Duty>> = {
  "CARD-CACHE-001": cached,
  "CARD-SCHEMA-001": valid("step-1", "AgentCard"),
  "DM-SERIAL-002": valid("send", "SendMessageResponse"),
  "REST-CT-001": labelled("send", "application/a2a+json", "application/json"),
  "JSONRPC-CT-001": labelled("send-raw", "application/json"),

  "PUSH-DELIV-001": withToken("test-token"),
  "SEC-PUSH-001": withToken("test-token"),
  "SEC-PUSH-002": turnsAwayStrangers,
  "PUSH-DELIV-002": atLeastOnce,
  "PUSH-DELIV-003": inTheFormat,

  "SEC-AUTH-002": {
    says: "credentials that are valid and not enough are refused as such; a token that the agent does not know proves nothing",
    waives: ({ status }) =>
      status === 401
        ? "the agent does not know this token, so it is no test of permissions: --var insufficientAuthToken=env:NAME"
        : undefined,
  },
  "SEC-AUTH-003": {
    says: "a task of another principal gets the same error as one that does not exist",
    async after(run) {
      const [other, missing] = ["get-other-user-task", "get-missing-task"].map((step) => run.answers.get(step)?.error);
      const kind = (error: typeof other): string =>
        JSON.stringify([error?.code, error?.http, error?.grpc?.status, error?.reason]);
      if (kind(other) === kind(missing)) return undefined;
      return run.judgeOf("get-other-user-task").fail("the two errors can be told apart", {
        expected: kind(missing),
        actual: kind(other),
      });
    },
  },
  "CORE-ERR-009": {
    says: "a missing task cannot be told from one of another principal; examined by SEC-AUTH-003, which has the credentials for it",
    after: async () => "the comparison with another principal's task is made by SEC-AUTH-003",
  },
  "CORE-CTX-001": {
    says: "an agent that rejects a client's contextId says so instead of minting another; one that accepts it may do that",
    waives(answer) {
      const given = "client-generated-context-that-should-be-rejected";
      const found = valueAt(answer.root, "task.contextId") ?? valueAt(answer.root, "message.contextId");
      return found === given ? "the agent accepts contexts of the client's making, which it may (§3.4.1)" : undefined;
    },
  },

  "STREAM-MULTI-001": {
    says: "a second stream of the same task receives the same events",
    after: compareStreams,
  },
  "STREAM-MULTI-002": {
    says: "a stream goes on when another one, open at the same time, is closed",
    after: closeOneOfTwo,
  },
  "STREAM-RESUB-001": {
    says: "the stream is dropped after its first event, and subscribed to again",
    before: dropAndComeBack,
  },

  "CLIENT-AUTH-001": {
    says: "the client goes on with the extended card",
    after: async () => "that the client goes on with the extended card cannot be seen from its reading of two cards",
  },
  "CLIENT-CAP-001": {
    says: "the client looks at the card before it uses what is optional",
    after: async () => "that the client asks the card first cannot be seen from its reading of one",
  },
};
