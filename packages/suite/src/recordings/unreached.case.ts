/** Rows of severity.yaml that no recording reaches yet, by rule, code and where they apply: and why not. */
export const unreached: Readonly<Record<string, string>> = {};

/** Cards and calls that are not recorded yet: a rule that holds, or one that is not kept. */
export const unrecorded: Readonly<Record<string, string>> = {};
