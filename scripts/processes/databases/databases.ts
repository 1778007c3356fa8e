/** The databases that several processes can share. */
import { areInstalled } from "../programs.ts"
import type { DatabaseServer } from "./database-server.ts"
import { startMariadb } from "./mariadb.ts"
import { startPostgres } from "./postgres.ts"
import { startRedis } from "./redis.ts"

export interface TestDatabase {
  readonly name: string
  readonly isInstalled: boolean
  start(): Promise<DatabaseServer>
}

/** Whether nginx is installed. */
export const hasNginx = areInstalled("nginx")

export const databases: readonly TestDatabase[] = [
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
