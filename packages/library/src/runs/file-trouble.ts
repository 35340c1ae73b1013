const reasons: Record<string, string> = {
  ENOENT: "the folder does not exist and cannot be created",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is not a folder",
  EEXIST: "a part of the path is not a folder",
};

/** Returns the reason why a file could not be written. */
export const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => (code && reasons[code]) ?? message;

/** Returns the reason why a file could not be read. */
export const readingReasonOf = (error: NodeJS.ErrnoException): string =>
  error.code === "ENOENT" ? "file not found" : reasonOf(error);
