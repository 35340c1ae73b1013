import { valueAt } from "../../values/path.ts";
import { cached, labelled, valid } from "./answers.ts";
import type { Duty } from "./duty.ts";
import { atLeastOnce, inTheFormat, turnsAwayStrangers, withToken } from "./notifications.ts";
import { closeOneOfTwo, compareStreams, dropAndComeBack } from "./streams.ts";

/** Requirements by the id of the test. */
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
    says: "valid credentials without enough permission are rejected as such; a token unknown to the agent proves nothing",
    waives: ({ status }) =>
      status === 401
        ? "the agent does not accept this token, so it cannot test permissions: --var insufficientAuthToken=env:NAME"
        : undefined,
  },
  "SEC-AUTH-003": {
    says: "a task of another principal gets the same error as one that does not exist",
    async after(run) {
      const [other, missing] = ["get-other-user-task", "get-missing-task"].map((step) => run.answers.get(step)?.error);
      const kind = (error: typeof other): string =>
        JSON.stringify([error?.code, error?.http, error?.grpc?.status, error?.reason]);
      if (kind(other) === kind(missing)) return undefined;
      return run.judgeOf("get-other-user-task").fail("the two errors differ", {
        expected: kind(missing),
        actual: kind(other),
      });
    },
  },
  "CORE-ERR-009": {
    says: "a missing task cannot be distinguished from another principal's; SEC-AUTH-003 has the credentials to test it",
    after: async () => "SEC-AUTH-003 compares it with another principal's task",
  },
  "CORE-CTX-001": {
    says: "an agent that rejects a client's contextId returns an error instead of creating another; one that accepts it may create another",
    waives(answer) {
      const given = "client-generated-context-that-should-be-rejected";
      const found = valueAt(answer.root, "task.contextId") ?? valueAt(answer.root, "message.contextId");
      return found === given ? "the agent accepts contexts that the client creates, as it may (§3.4.1)" : undefined;
    },
  },

  "STREAM-MULTI-001": {
    says: "a second stream of the same task receives the same events",
    after: compareStreams,
  },
  "STREAM-MULTI-002": {
    says: "a stream continues when another open stream of the same task is closed",
    after: closeOneOfTwo,
  },
  "STREAM-RESUB-001": {
    says: "the stream is dropped after its first event, then subscribed to again",
    before: dropAndComeBack,
  },

  "CLIENT-AUTH-001": {
    says: "the client uses the extended card from then on",
    after: async () => "how the client reads two cards does not show that it uses the extended card from then on",
  },
  "CLIENT-CAP-001": {
    says: "the client checks the card before it uses an optional capability",
    after: async () => "how the client reads one card does not show that it checks the card first",
  },
};
