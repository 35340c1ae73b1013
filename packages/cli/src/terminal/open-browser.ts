import { spawn } from "node:child_process";
import type { Screen } from "./screen.ts";

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
  linux: ["xdg-open"],
};

/** Returns the command that opens a page in a browser, or undefined if there is no display. */
export function browserCommand(
  { isTerminal }: Pick<Screen, "isTerminal">,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  if (!isTerminal || env["SSH_CONNECTION"]) return undefined;
  if (platform === "linux" && !env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return undefined;
  return openers[platform];
}

/** Opens a page in the browser if there is one, and returns whether it tried. */
export function openBrowser(screen: Screen, page: string): boolean {
  const [command, ...args] = browserCommand(screen) ?? [];
  if (command === undefined) return false;
  // The address is also on the screen, in case the browser does not start.
  spawn(command, [...args, page], { stdio: "ignore", detached: true, windowsHide: true })
    .on("error", () => {})
    .unref();
  return true;
}
