// Runs a command in this process.
import { runProcess } from "../dist/main.js";

await runProcess(process.argv.slice(2));
