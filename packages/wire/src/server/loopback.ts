import { isIPv4 } from "node:net";

/** A name or address, in lower case and without brackets, that cannot lead off this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  // RFC 6761 §6.3; browsers resolve these to loopback without asking DNS.
  host.endsWith(".localhost") ||
  host === "::1" ||
  (isIPv4(host) && host.startsWith("127."));
