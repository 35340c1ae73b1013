import { AgentFault } from "@assay/library/connection";
import { AssayError } from "@assay/protocol/assay-error";
import { expect, test } from "vitest";
import { blaming, complainOf, UsageError } from "./exit.ts";
import { screenOn } from "./terminal/screen.ts";

/** What an error prints, and the exit code. */
function told(error: AssayError): { code: number; err: string } {
  let err = "";
  const outlet = { isTerminal: false, canRepaint: false, isColored: false, size: () => ({ columns: 80, rows: 24 }) };
  const screen = screenOn({ ...outlet, write() {} }, { ...outlet, write: (text) => (err += text) });
  return { code: complainOf(error, screen), err };
}

test("every error prints its message, then its hint, and exits with its own code", () => {
  expect(told(new UsageError("--port: expected a number\nfound: x", "Try --port 0."))).toEqual({
    code: 2,
    err: "assay: --port: expected a number\nfound: x\nTry --port 0.\n",
  });
  expect(told(new AgentFault("no A2A", "Is it an agent?"))).toEqual({
    code: 1,
    err: "assay: no A2A\nIs it an agent?\n",
  });
  expect(told(new AssayError({ code: "unknown-sweep", message: "lost", exitCode: 3 })).code).toBe(3);
});

test("text of an agent makes no line of its own", () => {
  expect(told(new AssayError({ code: "agent-not-found", message: "saw\n::error::x" })).err).toBe(
    "assay: saw\\n::error::x\n",
  );
});

test("an error of ours is blamed on its flag, and others are passed on", () => {
  const away = new AssayError({ code: "database-unavailable", message: "away", hint: "Start it." });
  expect(() => blaming("--history")(away)).toThrow(new UsageError("--history: away", "Start it.", away));
  const foreign = new TypeError("x is not a function");
  expect(() => blaming("--history")(foreign)).toThrow(foreign);
});
