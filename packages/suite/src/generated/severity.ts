// Generated from rules/severity.yaml by `npm run generate`. Do not edit.

import type { Ceiling, SeverityRow } from "../rules/severity.ts";

export const ceilings: readonly Ceiling[] = [{"when":"undeclared-version","most":"warning","why":"the agent never promised to speak this version"}];

export const disputed: readonly { readonly rule: string; readonly why: string }[] = [];

export const rows: readonly SeverityRow[] = [
  {"rule":"*","code":"crashed","becomes":"fail","why":"no level excuses a crash in answer to a request that is well understood"},
  {"rule":"*","code":"blocks-others","becomes":"fail","why":"nothing that rests on it can be examined"},
  {"rule":"*","code":"error-table-1.0.0","sets":["1.0.0-r1"],"becomes":"pass","why":"the numbers are those of the text by which the agent is judged"},
  {"rule":"*","code":"error-table-1.0.0","sets":["1.0.1-r1","0.3.0-r1","0.2.6-r1","0.1.0-r1"],"under":"AMB-01","becomes":"warning","strict":"level","why":"1.0.0 and 1.0.1 give the error other numbers, and its reason is right"},
  {"rule":"*","code":"odd","becomes":"warning","why":"to be dissolved into rows of their own"},
  {"rule":"*","code":"tolerated","becomes":"warning","strict":"level","why":"to be dissolved into rows of their own"},
];
