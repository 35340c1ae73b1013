import { serveSdkOn } from "./sdk-database.ts";
import { sdkSqlite } from "./sdk-sqlite-dialect.ts";

await serveSdkOn(sdkSqlite());
