import { testbedHeader } from "@assay/protocol";
import type { BuiltWith } from "../ledger/verdict.ts";
import { headerIn, type SeenAnswer } from "./seen-answer.ts";

/**
 * Software that names itself in response headers and shows how an agent is built. Gateways and content delivery
 * networks are not in the list, because they say nothing about the agent behind them.
 */
const names: readonly { readonly header: string; readonly says: RegExp; readonly name: string }[] = [
  { header: testbedHeader, says: /^/, name: "Assay test bed" },
  { header: "x-powered-by", says: /^express\b/i, name: "Express (Node.js)" },
  { header: "x-powered-by", says: /^next\.js\b/i, name: "Next.js (Node.js)" },
  { header: "x-powered-by", says: /^fastify\b/i, name: "Fastify (Node.js)" },
  { header: "x-powered-by", says: /^php\b/i, name: "PHP" },
  { header: "x-powered-by", says: /^asp\.net\b/i, name: "ASP.NET" },
  { header: "server", says: /^uvicorn\b/i, name: "uvicorn (Python)" },
  { header: "server", says: /^hypercorn\b/i, name: "Hypercorn (Python)" },
  { header: "server", says: /^granian\b/i, name: "Granian (Python)" },
  { header: "server", says: /^gunicorn\b/i, name: "Gunicorn (Python)" },
  { header: "server", says: /^werkzeug\b/i, name: "Werkzeug (Python)" },
  { header: "server", says: /^python\/.* aiohttp\b/i, name: "aiohttp (Python)" },
  { header: "server", says: /^kestrel\b/i, name: "Kestrel (.NET)" },
  { header: "server", says: /^jetty\b/i, name: "Jetty (Java)" },
  { header: "server", says: /^deno\b/i, name: "Deno" },
];

/**
 * Returns the software that the card's server names. Returns undefined if it names none: a guess could blame the wrong
 * software.
 */
export function builtWithOf({ headers }: Pick<SeenAnswer, "headers">): BuiltWith | undefined {
  for (const { header, says, name } of names) {
    const value = headerIn(headers, header);
    if (value !== undefined && says.test(value)) return { name, because: `${header}: ${value.slice(0, 80)}` };
  }
  return undefined;
}
