// `npm run build`: compiles all workspaces and makes the page of `assay ui`.
import { build, install } from "./steps.mjs";

install();
build();
