import { probe } from "../../check.ts";
import { holds, notApplicable, notExamined } from "../../finding.ts";
import { company } from "../../observations/contexts.ts";
import { settledTask } from "../../observations/settled.ts";
import { slow } from "../../observations/slow.ts";
import { type LooseTask, taskIn } from "../../reading.ts";
import { timeOf } from "../lifecycle/times.ts";

/** So many that it is no chance when none of them has a fraction. */
const enough = 3;

export const tellsMilliseconds = probe({
  id: "DATA-008",
  title: "times are told to the millisecond",
  remedy: "Write timestamps with milliseconds, such as 2026-11-01T10:00:00.123Z, where the clock has them.",
  uses: { settledTask },
  also: { company, slow },
  probe({ settledTask: { last }, company: several, slow: working }) {
    const talks = [several?.plain, several?.referring, working?.first].flatMap((talk) => talk ?? []);
    const tasks: readonly LooseTask[] = [last, ...talks.flatMap((talk) => taskIn(talk) ?? [])];
    const times = tasks.flatMap((task) => timeOf(task) ?? []);
    if (times.length === 0) return notApplicable("the agent's tasks show no times");
    if (times.some((time) => /\.\d*[1-9]/.test(time))) return holds();
    if (times.length < enough) return notExamined("no-occasion", "too few times were seen to tell");
    return holds("no time has a fraction of a second, so that tasks of one second have no order");
  },
});
