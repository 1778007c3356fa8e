import { join } from "node:path"
import { accountOf } from "../programs.ts"
import { type DatabaseServer, startServer } from "./server.ts"

export function startMariadb(): Promise<DatabaseServer> {
  return startServer({
    account: accountOf("mysql"),
    make: (folder) => [
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${join(folder, "data")}`,
      "--auth-root-authentication-method=normal",
    ],
    run: (folder, port) => [
      "mariadbd",
      "--no-defaults",
      `--datadir=${join(folder, "data")}`,
      `--socket=${join(folder, "socket")}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
    ],
    ready: "ready for connections",
    // The one that every new data folder has.
    url: (port) => `mysql://root@127.0.0.1:${port}/test`,
  })
}
