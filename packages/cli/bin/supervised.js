// Runs a command in the process that `launcher.js` started.
import { linkToLauncher } from "../dist/main.js";

linkToLauncher();
await import("./command.js");
