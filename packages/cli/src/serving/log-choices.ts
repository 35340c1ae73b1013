/** From what is always told to what is told only to those who want to see everything. */
export const logLevels = ["error", "warn", "info"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["text", "json"] as const;

export interface LogOptions {
  readonly format: (typeof logFormats)[number];
  readonly level: LogLevel;
}
