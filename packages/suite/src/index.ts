export {
  type BaselineEntry,
  type Principal,
  type PromptKind,
  promptKinds,
  type TestOptions,
} from "./runner/options.ts";
