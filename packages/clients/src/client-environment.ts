/** Environment variables of one situation; the first four are always set. */
export type ClientEnvironment = Readonly<
  Record<"ASSAY_AGENT_URL" | "ASSAY_SITUATION" | "ASSAY_ACTION" | "ASSAY_ASKS", string>
> &
  Readonly<Record<string, string>>;
