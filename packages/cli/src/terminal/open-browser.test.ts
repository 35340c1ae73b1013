import { expect, test } from "vitest";
import { browserCommand } from "./open-browser.ts";

const atTerminal = { isTerminal: true };

test.each([
  ["a desktop of Linux", atTerminal, { DISPLAY: ":0" }, "linux", ["xdg-open"]],
  ["Wayland", atTerminal, { WAYLAND_DISPLAY: "wayland-0" }, "linux", ["xdg-open"]],
  ["macOS", atTerminal, {}, "darwin", ["open"]],
  ["Windows", atTerminal, {}, "win32", ["cmd", "/c", "start", ""]],
  ["Linux without a display", atTerminal, {}, "linux", undefined],
  [
    "another machine, over SSH",
    atTerminal,
    { DISPLAY: ":10", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" },
    "linux",
    undefined,
  ],
  ["a pipe, or CI", { isTerminal: false }, { DISPLAY: ":0" }, "linux", undefined],
  ["a system without a known opener", atTerminal, { DISPLAY: ":0" }, "aix", undefined],
] as const)("%s: a page opens with the right command, or not at all", (_where, screen, env, platform, command) => {
  expect(browserCommand(screen, env, platform)).toEqual(command);
});
