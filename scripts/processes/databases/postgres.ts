import { join } from "node:path"
import { readAccount } from "../programs.ts"
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts"

export function startPostgres(): Promise<DatabaseServer> {
  return startDatabaseServer({
    account: readAccount("postgres"),
    createInitCommand: (folder) => {
      const data = join(folder, "data")
      return ["initdb", "--pgdata", data, "--username=postgres", "--auth=trust", "--no-sync"]
    },
    createStartCommand: (folder, port) => {
      const own = ["-c", `port=${port}`, "-c", "listen_addresses=127.0.0.1"]
      return ["postgres", "-D", join(folder, "data"), "-k", folder, ...own]
    },
    readyMessage: "database system is ready to accept connections",
    createUrl: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  })
}
