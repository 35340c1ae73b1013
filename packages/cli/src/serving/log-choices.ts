/** From the least to the most verbose level. */
export const logLevels = ["error", "warn", "info"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["text", "json"] as const;

export interface LogOptions {
  readonly format: (typeof logFormats)[number];
  readonly level: LogLevel;
}
