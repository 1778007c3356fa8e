import { accountOf } from "../programs.ts"
import { type DatabaseServer, startServer } from "./server.ts"

/** With a file that every change is in before it is confirmed. */
export function startRedis(): Promise<DatabaseServer> {
  return startServer({
    account: accountOf("redis"),
    run: (folder, port) => [
      "redis-server",
      ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder],
      ...["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
    ],
    ready: "Ready to accept connections",
    url: (port) => `redis://127.0.0.1:${port}`,
  })
}
