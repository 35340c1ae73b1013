/** Explanations of rules and errors. */
export { type ExplainedError, errorsCalled, errorWords } from "./errors.ts";
export { type Explanation, explainedRule } from "./rule.ts";
