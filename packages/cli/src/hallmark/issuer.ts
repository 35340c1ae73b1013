import { UsageError } from "../exit.ts";

const most = 200;

/** Who signs, or why: what is read on one line. */
const shortText = (flag: string, text: string): string => {
  const said = text.trim();
  if (said === "" || said.length > most) throw new UsageError(`${flag}: expected 1 to ${most} characters`);
  return said;
};

export const issuerOf = (text: string): string => shortText("--issuer", text);
export const revocationReason = (text: string): string => shortText("--reason", text);
