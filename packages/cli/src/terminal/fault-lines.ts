import { faultKind, faultNames } from "@assay/proxy";

/** Returns the table of `--fault list`. */
export function faultLines(): readonly string[] {
  const rows = faultNames.map((name) => {
    const { default: value, means, operations, times } = faultKind(name);
    const limits = [...(operations ? [`only ${operations.join(", ")}`] : []), ...(times === 1 ? ["once"] : [])];
    return [
      value === undefined ? name : `${name}=${value}`,
      `${means}${limits.length ? ` (${limits.join("; ")})` : ""}`,
    ] as const;
  });
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return [
    "Faults, with their default values:",
    ...rows.map(([usage, means]) => `  ${usage.padEnd(width)}  ${means}`),
    "",
    "Selection, after an @ (default: every call of every operation, without the card):",
    "  @GetTask          one operation; @GetTask+ListTasks for several, @card for the agent card",
    "  @0.2              a share of the calls at random, by --seed; with an operation: @GetTask:0.2",
    "  @3x               the first three calls only; with an operation: @GetTask:3x",
    "",
    "Example: --fault latency=300ms --fault cut=3@SendStreamingMessage:1x --fault status=503@GetTask:0.2",
  ];
}
