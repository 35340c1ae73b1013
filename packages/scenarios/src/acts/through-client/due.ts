import { type DialectVersion, v03, v10 } from "@assay/protocol";
import type { OperationStep, Step, Test } from "../model.ts";
import { operationOf } from "../running/operations.ts";

/** Why no client of an SDK can be asked to go through a test; undefined where it can. */
export function notForClients(test: Test): string | undefined {
  const raw = test.steps.find(({ is }) => is === "raw");
  if (raw) return `its step ${raw.id} sends raw bytes, which a client cannot do`;
  const client = test.steps.find(({ is }) => is === "client");
  return client && `its step ${client.id} is about a client inside the agent`;
}

/** Why a test has nothing to say in a version; undefined where it has. */
export function leftOutIn(test: Test, version: DialectVersion): string | undefined {
  if (isAfter(test.since, version)) return `it tests a feature of A2A ${test.since} and later`;
  const due = test.steps.filter((step) => isDue(step, version));
  const expects = ({ expect, expectError, expectStream, assertions }: OperationStep): boolean =>
    Boolean(expect ?? expectError ?? expectStream) || assertions.length > 0;
  if (due.some(expects) || test.assertions.length) return undefined;
  return `A2A ${version} has none of the operations that it tests`;
}

/** Whether a step is taken in a version: it is an operation that the version has, and about what was said by then. */
export function isDue(step: Step, version: DialectVersion): step is OperationStep {
  if (step.is !== "operation" || isAfter(step.since, version)) return false;
  const operation = operationOf[step.operation];
  return operation === "card" || (version === "1.0" ? v10 : v03).methodOf(operation) !== undefined;
}

/** Versions are compared as the texts they are: each has one digit before and one behind the point. */
export const isAfter = (since: string | undefined, version: DialectVersion): boolean =>
  since !== undefined && since > version;
