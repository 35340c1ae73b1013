import { type LooseTask, taskIn } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { holds, notApplicable, notExamined } from "../../define/finding.ts";
import { tasksInOneContext } from "../../observations/contexts.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { timeOf } from "../lifecycle/times.ts";

/** So many that it is no chance when none of them has a fraction. */
const enough = 3;

export const tellsMilliseconds = activeCheck({
  id: "DATA-008",
  title: "times are told to the millisecond",
  remedy: "Write timestamps with milliseconds, such as 2026-11-01T10:00:00.123Z, where the clock has them.",
  uses: { taskAtRest },
  also: { tasksInOneContext, slowTask },
  judge({ taskAtRest: { last }, tasksInOneContext: several, slowTask: working }) {
    const calls = [several?.plain, several?.referring, working?.first].flatMap((call) => call ?? []);
    const tasks: readonly LooseTask[] = [last, ...calls.flatMap((call) => taskIn(call) ?? [])];
    const times = tasks.flatMap((task) => timeOf(task) ?? []);
    if (times.length === 0) return notApplicable("the agent's tasks show no times");
    if (times.some((time) => /\.\d*[1-9]/.test(time))) return holds();
    if (times.length < enough) return notExamined("not-triggered", "too few times were seen to tell");
    return holds("no time has a fraction of a second, so that tasks of one second have no order");
  },
});
