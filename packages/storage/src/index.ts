export { type DatabaseAddress, readAddress, shownAddress } from "./address.ts";
export { type Database, type DatabaseKind, DatabaseUnavailable, type Sql } from "./database.ts";
export { type Migration, migrate } from "./migrations.ts";
export { openDatabase } from "./open.ts";
export { joined, Query, raw, type SqlValue, sql } from "./query.ts";
