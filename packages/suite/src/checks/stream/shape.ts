import { taskStream } from "../../observations/task-stream.ts";
import { shapeCheck } from "../../shapes/check.ts";

export const oneMemberEach = shapeCheck({
  id: "STREAM-008",
  title: "every event is a StreamResponse with exactly one of its four members",
  remedy: "Wrap each event: {task}, {message}, {statusUpdate} or {artifactUpdate}, one of them and nothing beside it.",
  on: ["StreamResponse"],
  shownBy: [taskStream],
});
