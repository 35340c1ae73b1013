import { UsageError } from "../exit.ts";

const most = 200;

/** Checks a text that must fit on one line: the signer or a reason. */
const shortText = (flag: string, text: string): string => {
  const said = text.trim();
  if (said === "" || said.length > most) throw new UsageError(`${flag}: expected 1 to ${most} characters`);
  return said;
};

export const issuerOf = (text: string): string => shortText("--issuer", text);
export const revocationReason = (text: string): string => shortText("--reason", text);
