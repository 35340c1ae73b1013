/** Returns the data of server-sent events in a recorded body, in order, without comments and other fields. */
export const sseDataIn = (text: string): string[] =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .split("\n\n")
    .map((event) =>
      event
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).replace(/^ /, ""))
        .join("\n"),
    )
    .filter((data) => data !== "");
