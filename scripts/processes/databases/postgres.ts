import { join } from "node:path"
import { accountOf } from "../programs.ts"
import { type DatabaseServer, startServer } from "./server.ts"

export function startPostgres(): Promise<DatabaseServer> {
  return startServer({
    account: accountOf("postgres"),
    make: (folder) => {
      const data = join(folder, "data")
      return ["initdb", "--pgdata", data, "--username=postgres", "--auth=trust", "--no-sync"]
    },
    run: (folder, port) => {
      const own = ["-c", `port=${port}`, "-c", "listen_addresses=127.0.0.1"]
      return ["postgres", "-D", join(folder, "data"), "-k", folder, ...own]
    },
    ready: "database system is ready to accept connections",
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  })
}
