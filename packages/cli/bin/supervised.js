// Runs a command in the process that `launcher.js` started.

// A launcher that was killed cannot stop this process any more, not even while it loads.
process.once("disconnect", () => process.exit(137));
const { linkToLauncher } = await import("../dist/main.js");
linkToLauncher();
await import("./command.js");
