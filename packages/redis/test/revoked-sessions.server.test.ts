/** Processes refuse a revoked session as soon as Redis notifies them. */
import { createAuth } from "@latchkey/core"
import type { SessionRecordStore } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { RedisAdapter } from "@latchkey/redis"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { drivers } from "./support/drivers.ts"
import { hasRedisServer, startServer } from "./support/servers.ts"

const url = "https://app.example/"

/** Starts a process that asks Redis only when it has to: the test would time out before the next time. */
function startProcess(store: SessionRecordStore) {
  return createAuth({
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
    attemptLimits: false,
    logger: { error: () => undefined },
    providers: [credentials({ authorize: () => ({ id: "ada", name: "Ada" }) })],
    session: { records: { store, pollInterval: 3600 } },
  })
}

describe.skipIf(!hasRedisServer).each(drivers)("a sealed session, with $name", ({ connect }) => {
  test("that was revoked is refused by other processes, which do not ask", async () => {
    const server = await startServer()
    const connections = [await connect(server.url), await connect(server.url)] as const
    onTestFinished(async () => {
      for (const { close } of connections) close()
      await server[Symbol.asyncDispose]()
    })
    const store = RedisAdapter(connections[1].client)
    const [first, second] = [startProcess(RedisAdapter(connections[0].client)), startProcess(store)]
    const signedIn = await first.signIn({ headers: new Headers(), url }, "credentials")
    const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const check = async () =>
      (await second.getSession({ headers: new Headers({ cookie }), url })).session
    expect(await check()).toMatchObject({ user: { name: "Ada" } })
    const listChanges = vi.spyOn(store, "listSessionChanges")
    const watch = vi.spyOn(store as Required<SessionRecordStore>, "watchSessionChanges")
    const [session] = await second.sessions.list("ada")
    await vi.waitFor(() => expect(watch).toHaveBeenCalledOnce())
    await watch.mock.results[0]?.value
    await second.sessions.list("ada")
    expect(await check()).not.toBeNull()
    listChanges.mockClear()
    await first.sessions.revoke(session?.id ?? "")
    await vi.waitFor(async () => expect(await check()).toBeNull(), { timeout: 10_000, interval: 5 })
    expect(listChanges).not.toHaveBeenCalled()
  })
})
