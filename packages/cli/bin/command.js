// Runs a command in this process.
import { run } from "../dist/main.js";

// A rejected promise without a handler is an internal error. Node would exit with 1, which says "not conformant";
// the run goes on instead and reports what it found.
let stumbled = false;
process.on("unhandledRejection", (error) => {
  stumbled = true;
  process.stderr.write(`assay: internal error: ${error instanceof Error ? error.message : error}\n`);
});

const code = await run(process.argv.slice(2));
process.exitCode = code === 0 && stumbled ? 3 : code;
