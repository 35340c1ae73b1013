import type { Test } from "../model.ts";
import { readPath } from "../values/path.ts";
import { referencesIn } from "../values/scope.ts";
import type { Mistake } from "./page.ts";

/** Members that every step has without a capture. */
const ofEveryStep = ["response"];

/**
 * Finds references of a test that cannot resolve: a later or missing step, a variable that the step does not
 * capture. At run time it would look like a fault of the agent.
 */
export function* looseEnds(test: Test, variables: Readonly<Record<string, string>>): Generator<Mistake, void> {
  const known = new Map<string, readonly string[]>();
  for (const step of test.steps) {
    if (known.has(step.id))
      yield { at: step.at, says: `the id "${step.id}": expected a unique step id within ${test.id}` };
    const captured = "captures" in step ? Object.keys(step.captures) : [];
    for (const [name, path] of "captures" in step ? Object.entries(step.captures) : []) {
      if (!readPath(path))
        yield { at: step.at, says: `capture.${name}: expected a path such as task.id, found "${path}"` };
    }
    const { assertions, ...asked } = step;
    for (const reference of referencesIn(asked)) yield* missing(reference, known, variables, step.at, test);
    known.set(step.id, [...ofEveryStep, ...captured]);
    for (const assertion of assertions)
      for (const reference of referencesIn(assertion)) yield* missing(reference, known, variables, assertion.at, test);
  }
  for (const assertion of test.assertions)
    for (const reference of referencesIn(assertion)) yield* missing(reference, known, variables, assertion.at, test);
}

function* missing(
  reference: string,
  known: ReadonlyMap<string, readonly string[]>,
  variables: Readonly<Record<string, string>>,
  at: Mistake["at"],
  test: Test,
): Generator<Mistake, void> {
  const dot = reference.lastIndexOf(".");
  if (dot < 0 || reference.startsWith("env.") || Object.hasOwn(variables, reference)) return;
  const [step, name] = [reference.slice(0, dot), reference.slice(dot + 1)];
  const captured = known.get(step);
  if (!captured) {
    const steps = [...known.keys()];
    yield {
      at,
      says: `{{${reference}}}: expected an earlier step of ${test.id} (${steps.join(", ") || "there is none"})`,
    };
  } else if (!captured.includes(name)) {
    yield { at, says: `{{${reference}}}: expected a member of the step "${step}": ${captured.join(", ")}` };
  }
}
