import { once } from "node:events"
import { createServer } from "node:net"

/** Returns a port of this machine that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (address === null || typeof address === "string") throw new TypeError("No port was given")
  return address.port
}
