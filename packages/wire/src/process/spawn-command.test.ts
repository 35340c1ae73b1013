import { describe, expect, test } from "vitest";
import { spawnCommand } from "./spawn-command.ts";

const files = ["C:\\Program Files\\nodejs\\node.exe", "C:\\Program Files\\nodejs\\npm.cmd", "tools\\client.bat"];
const windows = { platform: "win32", exists: (file: string) => files.includes(file) } as const;
const env = { Path: "C:\\Windows;C:\\Program Files\\nodejs" };

describe("a command on Windows", () => {
  test("a program is started directly", () => {
    expect(spawnCommand(["node", "client.js", "a b"], env, windows)).toEqual({
      file: "node",
      args: ["client.js", "a b"],
      shell: false,
    });
  });

  test("a batch file is started by the shell, with its words quoted", () => {
    expect(spawnCommand(["npm", "run", "client", "--", "a & b", 'say "hi"'], env, windows)).toEqual({
      file: 'npm run client -- "a & b" "say ""hi"""',
      args: [],
      shell: true,
    });
  });

  test("a path may have slashes, and the ending may be part of the name", () => {
    expect(spawnCommand(["tools/client.bat", "x"], env, windows)).toMatchObject({
      file: "tools\\client.bat x",
      shell: true,
    });
    expect(spawnCommand(["tools/client", "x"], env, windows)).toMatchObject({ file: "tools\\client x", shell: true });
  });

  test("a program that does not exist is left to spawn, which says so", () => {
    expect(spawnCommand(["missing"], env, windows)).toEqual({ file: "missing", args: [], shell: false });
  });
});

test("elsewhere a command is started as it is", () => {
  expect(spawnCommand(["npm", "test"], { PATH: "/usr/bin" }, { platform: "darwin", exists: () => true })).toEqual({
    file: "npm",
    args: ["test"],
    shell: false,
  });
});
