import type { JsonValue } from "@assay/protocol";
import type { Node } from "yaml";
import {
  type ActsFile,
  levels,
  type NamedAssertion,
  runnerRequirements,
  type Suite,
  type Test,
  type TestPreconditions,
  transports,
  type Whereabouts,
} from "../model.ts";
import { readPath } from "../values/path.ts";
import { referencesIn } from "../values/scope.ts";
import { ActsPage, type Mistake } from "./page.ts";
import { readWhereabouts } from "./read-extension.ts";
import { readAssertion, readStep } from "./read-step.ts";
import { RecordReader } from "./record.ts";

/** Members that every step has without a capture. */
const ofEveryStep = ["response"];

/**
 * Finds references of a test that cannot resolve: a later or missing step, a variable that the step does not
 * capture. At run time it would look like a fault of the agent.
 */
function* looseEnds(test: Test, variables: Readonly<Record<string, string>>): Generator<Mistake, void> {
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

/** The supported major version of the format. */
const major = "1";

/** Reads one file of the format. `mistakes` has all problems with their places. */
export function readActsFile(file: string, text: string): { read?: ActsFile; page: ActsPage } {
  const page = new ActsPage(file, text);
  if (page.mistakes.length) return { page };
  const document = new RecordReader(page, page.root, "the file");
  if (!document.isRecord) return { page };
  const actsVersion = document.requiredText("acts_version");
  if (actsVersion !== "" && actsVersion.split(".")[0] !== major)
    page.wrong(
      document.take("acts_version"),
      `acts_version: expected ${major}.x, the format version that this runner supports, found "${actsVersion}"`,
    );
  const specVersion = document.requiredText("spec_version");
  document.text("spec_ref");
  document.take("metadata");
  const variables = document.map("variables");
  const includes = document.list("include").flatMap((node) => {
    const name = page.text(node);
    if (name === undefined) page.wrong(node, `an entry of include: expected a file, found ${page.shown(node)}`);
    return name === undefined ? [] : [{ name, at: page.at(node) }];
  });
  const where = readWhereabouts(page, document);
  const suites = document.list("suites").flatMap((node) => readSuite(page, node, where, variables) ?? []);
  if (!document.has("suites") && !document.has("include"))
    page.wrong(page.root, 'the file: expected "suites" or "include", found neither');
  document.close();
  return { page, read: { file, actsVersion, specVersion, variables, includes, suites } };
}

function readSuite(
  page: ActsPage,
  node: Node,
  around: Whereabouts,
  variables: Readonly<Record<string, string>>,
): Suite | undefined {
  const suite = new RecordReader(page, node, "a suite");
  if (!suite.isRecord) return undefined;
  const id = suite.requiredText("id");
  const name = suite.requiredText("name");
  suite.text("description");
  const tags = suite.texts("tags");
  const where = readWhereabouts(page, suite, around);
  suite.require("tests");
  const tests = suite.list("tests").flatMap((each) => readTest(page, each, { tags, where, variables }) ?? []);
  suite.close();
  return { id, name, tests };
}

/** Settings that a test inherits from its suite and document. */
interface Around {
  readonly tags: readonly string[];
  readonly where: Whereabouts;
  readonly variables: Readonly<Record<string, string>>;
}

function readTest(page: ActsPage, node: Node, around: Around): Test | undefined {
  const test = new RecordReader(page, node, "a test");
  if (!test.isRecord) return undefined;
  page.takeRules();
  const id = test.requiredText("id");
  const name = test.requiredText("name");
  const description = test.text("description");
  const specRef = test.text("spec_ref");
  test.require("level", "steps");
  const level = test.choice("level", levels) ?? "must";
  const tags = [...new Set([...around.tags, ...test.texts("tags")])];
  const where = readWhereabouts(page, test, around.where);
  const only = test.has("transport") ? test.choices("transport", transports) : undefined;
  const preconditions = readPreconditions(page, test.take("preconditions"));
  const behaviours = test.texts("requires_behaviors", (empty) => page.apply("no-behaviours", empty));
  test.text("origin");
  const requirements = test.choices("runner_requirements", runnerRequirements);
  const steps = test.list("steps").flatMap((each) => readStep(page, each) ?? []);
  const assertions: NamedAssertion[] = test.list("assertions").flatMap((each) => readAssertion(page, each) ?? []);
  test.close();
  const read: Test = {
    id,
    name,
    ...(description !== undefined && { description }),
    ...(specRef !== undefined && { specRef }),
    level,
    ...where,
    tags,
    ...(only && { transports: only }),
    preconditions,
    behaviours,
    requirements,
    steps,
    assertions,
    at: page.at(node),
    rules: page.takeRules(),
  };
  for (const mistake of looseEnds(read, around.variables)) page.mistakes.push(mistake);
  return read;
}

function readPreconditions(page: ActsPage, node: Node | undefined): TestPreconditions {
  if (!node) return { capabilities: {}, skills: [], transports: [], extensions: [] };
  const preconditions = new RecordReader(page, node, "preconditions");
  const given = preconditions.take("capabilities");
  const capabilities: Record<string, JsonValue> = {};
  for (const [name, { value }] of page.members(given) ?? []) {
    if (name === "authentication") page.apply("authentication-capability", value);
    // The YAML core schema yields JSON.
    capabilities[name] = page.json(value) as JsonValue;
  }
  if (given && !page.members(given))
    page.wrong(given, `preconditions.capabilities: expected names with values, found ${page.shown(given)}`);
  const skills = preconditions.list("skills").map((each) => {
    const skill = new RecordReader(page, each, "an entry of skills");
    const id = skill.requiredText("id");
    skill.close();
    return id;
  });
  const wanted = preconditions.choices("transport", transports);
  const extensions = preconditions.texts("extensions");
  preconditions.text("description");
  preconditions.close();
  return { capabilities, skills, transports: wanted, extensions };
}
