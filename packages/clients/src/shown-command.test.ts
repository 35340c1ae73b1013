import { expect, test } from "vitest";
import { shownCommand } from "./shown-command.ts";

test.each<[readonly string[], string]>([
  [["cli", "--token", "s3cret-abc"], "cli --token «secret:token»"],
  [["cli", "--token=s3cret-abc", "x"], "cli --token=«secret:token» x"],
  [["cli", "--password", "two words", "x"], "cli --password «secret:password» x"],
  [["cli", "-H", "Authorization: Bearer abc.def"], "cli -H Authorization: Bearer «secret:authorization»"],
  [["env", "MY_API_KEY=abc-def", "cli"], "env MY_API_KEY=«secret:my_api_key» cli"],
  [["curl", "-u", "me:s3cret", "{url}"], "curl -u me:«secret:password» {url}"],
  [
    ["sh", "-c", "cli --api-key 'abc def' --token abcdef | cat"],
    "sh -c cli --api-key '«secret:api-key»' --token «secret:token» | cat",
  ],
  [["sh", "-c", "curl -u me:s3cret $URL"], "sh -c curl -u me:«secret:password» $URL"],
  [["cli", "https://me:s3cret@host/x?token=abcd"], "cli https://me:«secret:password»@host/x?token=«secret:token»"],
  [["cli", `ghp_${"a1".repeat(18)}`], "cli «secret:credential»"],
  [["sh", "-c", "cli --token $TOKEN"], "sh -c cli --token $TOKEN"],
  [["cli", "--token", "--verbose", "--no-cookie", "https://host"], "cli --token --verbose --no-cookie https://host"],
  [["cli", "--use-token=true", "--max-token", "4000"], "cli --use-token=true --max-token 4000"],
  [["node", "my-client.js", "--task-id", "abc"], "node my-client.js --task-id abc"],
])("%j is shown as %s", (command, shown) => {
  expect(shownCommand(command).text).toBe(shown);
});

test("the value of a variable that is named like a credential is hidden, too", () => {
  const env = { AGENT_TOKEN: "0123-abcd-4567", DB_PASSWORD: "short", PWD: "/home/of/someone", HOME: "/home/of" };
  const { text, secrets } = shownCommand(["cli", "0123-abcd-4567", "/home/of/someone", "short"], env);
  expect(text).toBe("cli «secret:agent_token» /home/of/someone short");
  expect(secrets).toEqual([{ name: "agent_token", value: "0123-abcd-4567" }]);
});
