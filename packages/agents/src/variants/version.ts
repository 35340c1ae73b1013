import { nativeDialect } from "../http/dialects.ts";
import type { Caller } from "../http/gate.ts";
import { variant } from "../mutant.ts";

const namesNone = ({ headers }: Caller): boolean => !headers["a2a-version"];

/** Versions and extensions, where the specification leaves a choice. */
export const versionVariants = [
  // AMB-10: harsh on hand-made requests otherwise; dotnet takes them too.
  variant("version-optional", "full", "A request that names no version is served as 1.0.", {
    gate: (gate) => ({
      ...gate,
      version: (caller, agent) => (namesNone(caller) ? undefined : gate.version(caller, agent)),
      dialect: (caller, agent, method) =>
        namesNone(caller) ? nativeDialect(agent) : gate.dialect(caller, agent, method),
    }),
  }),

  // AMB-11: java compares the major number alone.
  variant("any-minor", "full", "A request for another minor version is served as 1.0.", {
    gate: (gate) => {
      const isOne = ({ headers }: Caller): boolean => /^1\.\d+$/.test(String(headers["a2a-version"] ?? ""));
      return {
        ...gate,
        version: (caller, agent) => (isOne(caller) ? undefined : gate.version(caller, agent)),
        dialect: (caller, agent, method) =>
          isOne(caller) ? nativeDialect(agent) : gate.dialect(caller, agent, method),
      };
    },
  }),
];
