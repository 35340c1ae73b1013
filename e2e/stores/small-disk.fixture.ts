import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";

/** A disk of a few megabytes. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk. */
  fill(): void;
  /** Frees the space again. */
  free(): void;
  close(): void;
}

/** Mounts a small file system in memory. Throws if mounting is not allowed. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "assay-small-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
  const mounted = spawnSync("mount", options, { encoding: "utf8" });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error((mounted.error?.message ?? mounted.stderr).trim());
  }
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "a");
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      spawnSync("umount", [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns true if the test can mount a disk. Otherwise prints the reason, and fails with CI=true on Linux. */
export function hasSmallDisk(): boolean {
  try {
    smallDisk(1).close();
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (toolsArePromised) throw new Error(`A small disk has to be mounted, and cannot: ${message}`);
    process.stderr.write(`– No small disk can be mounted (${message}). The tests of a full disk are skipped.\n`);
    return false;
  }
}
