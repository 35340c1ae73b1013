import { serveSdkOn } from "./sdk-database.ts";
import { sdkPostgres } from "./sdk-postgres-dialect.ts";

await serveSdkOn(sdkPostgres());
