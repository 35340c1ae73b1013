// Shared by the programs around clients of JavaScript frameworks, like framework.py for Python. They read situations
// from stdin (docs/clients.md), and answer each with the result that the framework returns to its caller.
import { createInterface } from "node:readline";

const declined = { exit: 75, output: "", errors: "" };

/** Answers each line of stdin. `acts` has a function for each action; other actions are declined. */
export async function serve(acts) {
  for await (const line of createInterface(process.stdin)) {
    const { id, environment } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id, ...(await answerTo(acts, environment)) })}\n`);
  }
}

async function answerTo(acts, { ASSAY_ACTION, ASSAY_AGENT_URL: url, ASSAY_MESSAGE: text, ASSAY_REPLY: reply, ...env }) {
  const act = acts[ASSAY_ACTION];
  if (!act || env.ASSAY_BEARER || env.ASSAY_EXTENSIONS || env.ASSAY_VERSION) return declined;
  try {
    return { exit: 0, output: String(await act({ url, text, reply })), errors: "" };
  } catch (error) {
    return { exit: 1, output: "", errors: `${error?.name}: ${error?.message}` };
  }
}
