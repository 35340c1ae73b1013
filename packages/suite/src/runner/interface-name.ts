import type { PeerInterface } from "@assay/wire";
import type { InterfaceName } from "../report/result.ts";

/** Returns the name of an interface in results and events. */
export const interfaceName = ({ url, dialect, binding }: PeerInterface): InterfaceName => ({ url, dialect, binding });
