import { readAccount } from "../programs.ts"
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts"

/** With an append-only file that is synced before each change is confirmed. */
export function startRedis(): Promise<DatabaseServer> {
  return startDatabaseServer({
    account: readAccount("redis"),
    createStartCommand: (folder, port) => [
      "redis-server",
      ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder],
      ...["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
    ],
    readyMessage: "Ready to accept connections",
    createUrl: (port) => `redis://127.0.0.1:${port}`,
  })
}
