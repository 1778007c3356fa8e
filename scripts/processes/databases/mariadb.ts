import { join } from "node:path"
import { readAccount } from "../programs.ts"
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts"

export function startMariadb(): Promise<DatabaseServer> {
  return startDatabaseServer({
    account: readAccount("mysql"),
    createInitCommand: (folder) => [
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${join(folder, "data")}`,
      "--auth-root-authentication-method=normal",
    ],
    createStartCommand: (folder, port) => [
      "mariadbd",
      "--no-defaults",
      `--datadir=${join(folder, "data")}`,
      `--socket=${join(folder, "socket")}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
    ],
    readyMessage: "ready for connections",
    // The root account of every new data directory.
    createUrl: (port) => `mysql://root@127.0.0.1:${port}/test`,
  })
}
