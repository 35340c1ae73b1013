import { win32 } from "node:path";

/**
 * The program and its arguments, so that no shell is needed: a shell would read inputs as commands. On Windows npx is a script for
 * cmd.exe, so Node runs the file that the script would run.
 */
export function programOf([command, ...args], { platform, execPath }) {
  if (platform !== "win32" || command !== "npx") return [command, ...args];
  return [execPath, win32.join(win32.dirname(execPath), "node_modules", "npm", "bin", "npx-cli.js"), ...args];
}
