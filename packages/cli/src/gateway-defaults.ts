/** Default values of `assay gateway`. The action fills them in, because it has to know which flags the user gave. */
export const gatewayDefaults = {
  message: "Reply with the word OK.",
  upstreamPort: 4060,
  upstreamHost: "127.0.0.1",
} as const;
