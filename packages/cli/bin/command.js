// Runs a command in this process.
import { run } from "../dist/main.js";

// A promise that nobody waited for is a mistake of ours. Node would end the process with 1, which says "not conformant";
// the run goes on instead, and what it found is told.
let stumbled = false;
process.on("unhandledRejection", (error) => {
  stumbled = true;
  process.stderr.write(`assay: this is our own fault: ${error instanceof Error ? error.message : error}\n`);
});

const code = await run(process.argv.slice(2));
process.exitCode = code === 0 && stumbled ? 3 : code;
