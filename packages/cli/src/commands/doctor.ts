import { declare, type FlagsOf } from "./command.ts";

const flags = [["--json", "print the checks as JSON"]] as const;
export type DoctorFlags = FlagsOf<typeof flags>;

export const addDoctor = declare("doctor", {
  group: "understand",
  does: "Check what works on this machine, and how to fix the rest.",
  flags,
  examples: [["assay doctor"], ["assay doctor --json", "for scripts and bug reports"]],
  notes: [
    "Assay checks Node, ports, optional packages, proxies, certificates, assay.yaml and the folder for recordings. It also tests an agent of its own. It contacts only this machine.",
    "Each row starts with a sign: ✓ works, - an optional part is missing, ✗ broken.",
  ],
  exitCodes: {
    0: "everything that Assay needs works",
    1: "something that Assay needs is broken",
    3: "internal error",
  },
  action: async () => (await import("../actions/doctor.ts")).examineMachine,
});
