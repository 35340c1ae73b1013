import type { Check } from "../../define/check.ts";
import { isUtf8 } from "./is-utf8.ts";
import { olderShapeChecks } from "./older-shapes.ts";
import { requestChecks } from "./requests.ts";
import { shapeChecks } from "./shapes.ts";

export const dataChecks: readonly Check[] = [...shapeChecks, isUtf8, ...requestChecks, ...olderShapeChecks];
