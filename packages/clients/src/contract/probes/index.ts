import type { Probe } from "../lab.ts";
import { cardProbes } from "./cards.ts";
import { credentialProbes } from "./credentials.ts";
import { defaultProbes } from "./defaults.ts";
import { errorProbes } from "./errors.ts";
import { loginProbes } from "./logins.ts";
import { outputProbes } from "./output.ts";
import { sendProbes } from "./sending.ts";
import { stateProbes } from "./state.ts";
import { surfaceProbes } from "./surface.ts";
import { taskProbes } from "./tasks.ts";
import { transportProbes } from "./transport.ts";
import { waitProbes } from "./waiting.ts";

/** The probe of each requirement, by its id. */
export const probes: Readonly<Record<string, Probe>> = {
  ...cardProbes,
  ...sendProbes,
  ...stateProbes,
  ...taskProbes,
  ...waitProbes,
  ...outputProbes,
  ...errorProbes,
  ...credentialProbes,
  ...transportProbes,
  ...defaultProbes,
  ...surfaceProbes,
  ...loginProbes,
};
