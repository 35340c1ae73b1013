import type { ContactTrouble, Masker, PeerError, PeerInterface, PeerTrouble } from "@assay/wire";
import { type ExitCode, exitCodes } from "../exit.ts";
import { brief, escapeText } from "../terminal/escape.ts";

/**
 * Returns exit code 2 for a network failure or missing credentials, which are inconclusive. Returns 1 for any other
 * failure, which is the agent's.
 */
export const exitOf = (trouble: PeerTrouble): ExitCode =>
  trouble.is === "failure" || (trouble.is === "error" && asksForLogin(trouble.error))
    ? exitCodes.usage
    : exitCodes.agent;

/**
 * Returns the exit code if the address does not lead to the agent. Missing credentials or payment are up to the
 * operator (2). Otherwise the card is wrong (1).
 */
export const contactExitOf = ({ kind }: ContactTrouble): ExitCode =>
  kind === "login" || kind === "payment" ? exitCodes.usage : exitCodes.agent;

const asksForLogin = ({ http, grpc }: PeerError): boolean => http === 401 || grpc?.status === "UNAUTHENTICATED";

export function troubleText(trouble: PeerTrouble, chosen: PeerInterface, mask: Masker): string {
  switch (trouble.is) {
    case "error": {
      const { code, grpc, http, reason, message } = trouble.error;
      const number = grpc
        ? (grpc.status ?? `gRPC status ${grpc.code}`)
        : code === undefined
          ? `HTTP ${http}`
          : `${code}`;
      const login = asksForLogin(trouble.error)
        ? "   Pass credentials: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD"
        : "";
      return `${number}${reason ? ` ${escapeText(reason)}` : ""}: ${brief(mask.text(message), 200)}${login}`;
    }
    case "malformed":
      return `not A2A: ${escapeText(trouble.because)}`;
    case "invalid":
      return `the response breaks the schema of ${chosen.dialect}: ${trouble.violations
        .slice(0, 3)
        .map(({ path, message }) => `${escapeText(path)} ${escapeText(message)}`)
        .join("; ")}`;
    case "failure":
      return `${escapeText(trouble.failure.message)}${trouble.failure.hint ? `   ${trouble.failure.hint}` : ""}`;
  }
}
