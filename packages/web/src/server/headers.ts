import { servedPolicy } from "@assay/viewer";

/** The headers of every response. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [...servedPolicy, "frame-ancestors 'none'"].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
