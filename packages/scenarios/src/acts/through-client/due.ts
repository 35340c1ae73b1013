import { type DialectVersion, v03, v10 } from "@assay/protocol";
import type { OperationStep, Step, Test } from "../model.ts";
import { operationOf } from "../running/operations.ts";

/** Returns why an SDK client cannot run a test; undefined if it can. */
export function notForClients(test: Test): string | undefined {
  const raw = test.steps.find(({ is }) => is === "raw");
  if (raw) return `its step ${raw.id} sends raw bytes, which a client cannot do`;
  const client = test.steps.find(({ is }) => is === "client");
  return client && `its step ${client.id} is about a client inside the agent`;
}

/** Returns why a test does not apply in a version; undefined if it does. */
export function leftOutIn(test: Test, version: DialectVersion): string | undefined {
  if (isAfter(test.since, version)) return `it tests a feature of A2A ${test.since} and later`;
  const due = test.steps.filter((step) => isDue(step, version));
  const expects = ({ expect, expectError, expectStream, assertions }: OperationStep): boolean =>
    Boolean(expect ?? expectError ?? expectStream) || assertions.length > 0;
  if (due.some(expects) || test.assertions.length) return undefined;
  return `A2A ${version} has none of the operations that it tests`;
}

/**
 * Returns true if a step applies in a version: the version has its operation, and defines its expectation.
 */
export function isDue(step: Step, version: DialectVersion): step is OperationStep {
  if (step.is !== "operation" || isAfter(step.since, version)) return false;
  const operation = operationOf[step.operation];
  return operation === "card" || (version === "1.0" ? v10 : v03).methodOf(operation) !== undefined;
}

/** Compares versions as texts, because each has one digit before and after the point. */
export const isAfter = (since: string | undefined, version: DialectVersion): boolean =>
  since !== undefined && since > version;
