import { PostgresDialect } from "kysely";
import pg from "pg";
import { serveSdkOn } from "./sdk-database.ts";

await serveSdkOn(new PostgresDialect({ pool: new pg.Pool({ connectionString: process.env["BENCH_POSTGRES"] }) }));
