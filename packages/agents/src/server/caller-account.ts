import { accountOf } from "@assay/wire/server";
import type { Caller } from "../definition/access.ts";

/** Whose account a request is on: a caller that has a name has it at every address. */
export const callerAccount = (caller: Caller | undefined, remoteAddress: string): string =>
  caller ? `caller ${caller.name}` : accountOf(remoteAddress);
