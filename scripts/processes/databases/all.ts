/** The databases that applications can share. */
import { areInstalled } from "../programs.ts"
import { startMariadb } from "./mariadb.ts"
import { startPostgres } from "./postgres.ts"
import { startRedis } from "./redis.ts"
import type { DatabaseServer } from "./server.ts"

export interface Database {
  readonly name: string
  readonly isInstalled: boolean
  start(): Promise<DatabaseServer>
}

/** Whether there can be a proxy. */
export const hasNginx = areInstalled("nginx")

export const databases: readonly Database[] = [
  {
    name: "PostgreSQL",
    isInstalled: areInstalled("postgres", "initdb") && hasNginx,
    start: startPostgres,
  },
  {
    name: "MariaDB",
    isInstalled: areInstalled("mariadbd", "mariadb-install-db") && hasNginx,
    start: startMariadb,
  },
  { name: "Redis", isInstalled: areInstalled("redis-server") && hasNginx, start: startRedis },
]
