import { type Dialect, PostgresDialect } from "kysely";
import pg from "pg";

export const sdkPostgres = (): Dialect =>
  new PostgresDialect({ pool: new pg.Pool({ connectionString: process.env["BENCH_POSTGRES"] }) });
