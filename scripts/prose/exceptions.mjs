// Exceptions of the prose check: a file, the words it may use, and the reason.
import { parse } from "yaml";

/** Reads the list. Every exception has a reason: one without is an error. */
export function exceptionsIn(source) {
  return (parse(source) ?? []).map(({ file, text, reason }) => {
    for (const [name, value] of Object.entries({ file, text, reason })) {
      if (typeof value !== "string" || value === "")
        throw new Error(`An exception needs ${name}: ${JSON.stringify({ file, text })}`);
    }
    return { file, text, reason, used: false };
  });
}

/** Drops the problems on a line with excepted words, and marks the exceptions that were needed. */
export function withoutExceptions(file, text, problems, exceptions) {
  const own = exceptions.filter((each) => each.file === file);
  if (own.length === 0) return problems;
  const lines = text.split("\n");
  return problems.filter(({ line }) => {
    // A sentence may continue in the following lines.
    const excepted = own.find((each) =>
      lines
        .slice(line - 1, line + 2)
        .join("\n")
        .includes(each.text),
    );
    if (excepted) excepted.used = true;
    return excepted === undefined;
  });
}
