import type { PeerInterface } from "@assay/wire";
import type { InterfaceName } from "../report/result.ts";

/** An interface as results and events name it. */
export const interfaceName = ({ url, dialect, binding }: PeerInterface): InterfaceName => ({ url, dialect, binding });
