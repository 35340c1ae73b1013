import { expect, test } from "vitest";
import { FakeClock } from "../fake-clock.case.ts";
import { Model } from "./model.ts";
