export { asGroup, signalGroup } from "./process-group.ts";
export { spawnCommand } from "./spawn-command.ts";
