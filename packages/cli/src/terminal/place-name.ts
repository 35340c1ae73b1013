import { bindingName, type InterfaceName } from "@assay/suite/report";

/** "JSON-RPC"; "JSON-RPC 0.3" where the version is not the one that goes without saying. */
export const placeName = ({ binding, dialect }: InterfaceName): string =>
  dialect === "1.0" ? bindingName(binding) : `${bindingName(binding)} ${dialect}`;
