import { expect } from "vitest";
import { refusalOf as grpcRefusalOf } from "../../fixtures/grpc.fixture.ts";
import type { PlainAnswer } from "../../fixtures/testbed.fixture.ts";
import type { OlderPeer, Refused } from "./peer.fixture.ts";

/** Thrown by a peer that got an error, after it checked the form of the error. */
export class NoFromPeer extends Error {
  readonly refused: Refused;
  readonly answer: PlainAnswer;

  constructor(refused: Refused, answer: PlainAnswer) {
    super(`refused: ${JSON.stringify(refused)}`);
    this.refused = refused;
    this.answer = answer;
  }
}

export async function refusedBy(work: Promise<unknown>): Promise<Refused> {
  const thrown = await work.then(
    (value) => new Error(`it was served: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof NoFromPeer) return thrown.refused;
  if (thrown instanceof Error && "metadata" in thrown) return grpcRefusalOf(Promise.reject(thrown));
  throw thrown;
}

const numbers = {
  TaskNotFound: [-32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"],
  TaskNotCancelable: [-32002, 409, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"],
  PushNotificationNotSupported: [-32003, 501, "UNIMPLEMENTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  UnsupportedOperation: [-32004, 501, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"],
  InvalidAgentResponse: [-32006, 502, "INTERNAL", "INVALID_AGENT_RESPONSE"],
  Parse: [-32700, 400, "INVALID_ARGUMENT", "PARSE_ERROR"],
  MethodNotFound: [-32601, 404, "UNIMPLEMENTED", "METHOD_NOT_FOUND"],
  InvalidParams: [-32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"],
  Internal: [-32603, 500, "INTERNAL", "INTERNAL_ERROR"],
  Unauthenticated: [-31401, 401, "UNAUTHENTICATED", "UNAUTHENTICATED"],
} as const satisfies Record<string, readonly [code: number, http: number, status: string, reason: string]>;

/** Returns the form of a protocol error on the transport of a peer. */
export function refusedAs({ transport }: OlderPeer, error: keyof typeof numbers): Refused {
  const [code, http, status, reason] = numbers[error];
  if (transport === "GRPC") return { status, reason };
  if (transport === "HTTP+JSON") return { http, code, reason };
  return { http: error === "Unauthenticated" ? 401 : 200, code, reason };
}

/** Fails if an error shows a stack trace, a path or an HTML page. */
export const expectNothingInside = ({ text }: PlainAnswer): void =>
  expect(text).not.toMatch(/<html|<!doctype|\n\s+at |node:internal|\/packages\/|\.ts:\d/i);
