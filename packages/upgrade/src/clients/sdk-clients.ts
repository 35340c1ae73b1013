import type { ClientSupport } from "./client-support.ts";

/** The clients of the SDK matrix (sdks/<name>/driver.yaml). A test compares this list with the drivers. */
export const sdkClients: readonly ClientSupport[] = (
  [
    ["a2a-go", "A2A Go SDK", "2.4.0", ["1.0", "0.3"]],
    ["a2a-go-0.3", "A2A Go SDK, 0.3 line", "0.3.15", ["0.3"]],
    ["a2a-java", "A2A Java SDK", "1.0.0.Alpha3", ["1.0"]],
    ["a2a-java-0.3", "A2A Java SDK 0.3", "0.3.3.Final", ["0.3"]],
    ["a2a-js", "A2A JavaScript SDK", "1.3.0", ["1.0", "0.3"]],
    ["a2a-js-0.3", "A2A JavaScript SDK 0.3", "0.3.14", ["0.3"]],
    ["a2a-python", "A2A Python SDK", "1.3.0", ["1.0", "0.3"]],
    ["a2a-python-0.3", "A2A Python SDK, 0.3 line", "0.3.26", ["0.3"]],
    ["a2a-rust", "A2A Rust SDK", "0.4.2", ["1.0"]],
  ] as const
).map(([name, title, version, versions]) => ({ name, title, version, versions, source: "SDK matrix" }));
