import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of a few megabytes. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room there is. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  close(): void;
}

/** Mounts a small file system in memory; where that is not allowed, the reason. */
export function smallDisk(megabytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), "assay-small-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], {
    encoding: "utf8",
  });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return (mounted.error?.message ?? mounted.stderr).trim();
  }
  const close = () => {
    spawnSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", close);
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
    close,
  };
}
