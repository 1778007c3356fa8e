/** Stores Latchkey's users, accounts, sessions, e-mail tokens and passkeys in an SQL database. */
export type { DatabaseErrorCode, UserFieldKind, UserFields } from "@latchkey/adapter-kit"
export type { DialectName } from "./engine.ts"
export type { KyselyDatabase } from "./engines/kysely/driver.ts"
export type {
  MysqlCallbackPool,
  MysqlConnection,
  MysqlDatabase,
  MysqlPool,
  MysqlPoolConnection,
  MysqlQuery,
  MysqlValue,
} from "./engines/mysql/driver.ts"
export type { SqlDatabase } from "./engines/open-engine.ts"
export type {
  PgliteDatabase,
  PostgresClient,
  PostgresDatabase,
  PostgresPool,
  PostgresPoolClient,
  PostgresResult,
} from "./engines/postgres/driver.ts"
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./engines/sqlite/driver.ts"
export { SqlError } from "./errors.ts"
export type { MaintenanceCommands } from "./maintenance.ts"
export { type MigrateOptions, migrate, migrationSql } from "./migrate.ts"
export type { MigrationReport } from "./migrations/run-migrations.ts"
export type { SqlAdapterOptions, SqlOptions } from "./options.ts"
export type { IdSource } from "./schema/id-codecs.ts"
export type { EntityNaming, SchemaNaming } from "./schema/layout.ts"
export type { EntityField, EntityName } from "./schema/tables.ts"
export { SqlAdapter } from "./sql-adapter.ts"
