// `npm run build`: makes the viewer and compiles all workspaces.
import { build, install } from "./steps.mjs";

await install();
await build();
