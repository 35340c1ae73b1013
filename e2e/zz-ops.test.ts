import { coverage } from "@assay/suite";
import { test } from "vitest";
test("x", () => { for (const r of coverage()) if (r.ends==="no-check-yet"||r.ends==="unobservable") console.log(r.ends,r.rule.id,r.rule.level,r.rule.testability,r.rule.basis, JSON.stringify(r.rule.requires)); });
