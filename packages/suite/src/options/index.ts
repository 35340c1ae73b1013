/** The options of a test, for the command line, assay.yaml, programs and the page. Works in a browser. */
export { depthCosts, depths } from "../report/events.ts";
export { defaultRuleSet } from "../rules/rule-sets.ts";
export {
  type FileOptions,
  flagOf,
  helpOf,
  type LibraryOptions,
  type OptionName,
  optionNames,
  optionOf,
  optionsInFile,
  type PageOptions,
  readOptions,
  runOptionsOf,
  type TestValues,
  type ValuesOf,
  type WrongOption,
} from "./derive.ts";
export {
  adviceOn,
  atLeastOne,
  choice,
  count,
  type Kind,
  listOf,
  numeric,
  onOff,
  percent,
  perSecond,
  seconds,
  secret,
  several,
  taken,
  text,
  webAddress,
} from "./kind.ts";
export {
  configOptions,
  connectionOptions,
  gateOptions,
  type OptionRow,
  optionGroups,
  reportOptions,
  testOptions,
} from "./test-options.ts";
