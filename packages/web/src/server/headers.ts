/**
 * What a browser is held to, should a word of an agent ever get where it does not belong: scripts and styles are ours,
 * nothing else is loaded, no text becomes markup (`trusted-types 'none'`), and no other page may frame or read this one.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Of every answer, whatever it is. */
export const safeHeaders: Readonly<Record<string, string>> = {
  // A policy in the page itself cannot say who may frame it.
  "Content-Security-Policy": [...pagePolicy, "frame-ancestors 'none'"].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
