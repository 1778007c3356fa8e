/** The HTTP API of Upstash in front of a Redis server: https://upstash.com/docs/redis/features/restapi */
import { createClient } from "redis"
import { type ApiServer, startApiServer } from "./http-server.ts"

/** @throws Error if Redis cannot be reached */
export async function startUpstashApi(redisUrl: string): Promise<ApiServer> {
  const client = createClient({ url: redisUrl, RESP: 2 })
  client.on("error", () => undefined) // the next command fails
  await client.connect()
  const run = async (command: unknown[], encode: (reply: unknown) => unknown) => {
    try {
      return { result: encode(await client.sendCommand(command.map(String))) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  const server = await startApiServer(async ({ url, headers, body }) => {
    const encode = headers["upstash-encoding"] === "base64" ? toBase64 : (reply: unknown) => reply
    if (url.pathname === "/pipeline") {
      const commands = body as unknown[][]
      const results = commands.map((command) => run(command, encode))
      return { status: 200, body: await Promise.all(results) }
    }
    const result = await run(body as unknown[], encode)
    return { status: "error" in result ? 400 : 200, body: result }
  })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      client.destroy()
    },
  }
}

function toBase64(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(toBase64)
  return typeof reply === "string" && reply !== "OK" ? btoa(toBinary(reply)) : reply
}

function toBinary(text: string): string {
  return Buffer.from(text).toString("latin1")
}
