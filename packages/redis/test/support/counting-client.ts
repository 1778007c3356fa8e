import type { NodeRedisClient, RedisClient } from "@latchkey/redis"

/** Creates a client that counts commands, and that can simulate a broken connection. */
export function createCountingClient(client: RedisClient) {
  // The scripts are loaded into Redis after their first use.
  const { evalSha, eval: evaluate } = client as NodeRedisClient
  let count = 0
  let left = Number.POSITIVE_INFINITY
  async function sendUntilBroken(send: () => Promise<unknown>): Promise<unknown> {
    left -= 1
    if (left < -1) throw new Error("Socket closed unexpectedly")
    const reply = await send()
    if (left < 0) throw new Error("Socket closed unexpectedly")
    return reply
  }
  const countingClient: NodeRedisClient & { duplicate(): unknown } = {
    evalSha(sha1, options) {
      count += 1
      return sendUntilBroken(() => evalSha.call(client, sha1, options))
    },
    eval: (script, options) => evaluate.call(client, script, options),
    duplicate: () => Reflect.apply(Reflect.get(client, "duplicate"), client, []),
  }
  return {
    client: countingClient,
    async commands(work: () => unknown): Promise<number> {
      const before = count
      await work()
      return count - before
    },
    breakAfter(commands: number): void {
      left = commands
    },
    mend(): void {
      left = Number.POSITIVE_INFINITY
    },
  }
}
