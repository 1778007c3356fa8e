/** Processes refuse a revoked session as soon as PostgreSQL notifies them. */
import { createAuth } from "@latchkey/core"
import type { SessionChange, SessionRecordStore } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { SqlAdapter } from "@latchkey/sql"
import { describe, expect, test, vi } from "vitest"
import { postgresServer } from "./support/database-kinds/postgres.ts"

const url = "https://app.example/"

/** Starts a process that asks the database only when it has to: the test would time out before the next time. */
function startProcess(store: SessionRecordStore) {
  return createAuth({
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
    attemptLimits: false,
    providers: [credentials({ authorize: () => ({ id: "ada", name: "Ada" }) })],
    session: { records: { store, pollInterval: 3600 } },
  })
}

describe.each(postgresServer)("a sealed session that was revoked, with $name", (kind) => {
  test("is refused by other processes, which do not ask", async () => {
    const opened = await kind.open()
    const options = { sessionRecords: true, notify: true, migrate: true } as const
    const first = startProcess(SqlAdapter(opened.database, options))
    const store = SqlAdapter(opened.reconnect?.() ?? opened.database, options)
    const second = startProcess(store)
    const signedIn = await first.signIn({ headers: new Headers(), url }, "credentials")
    const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const check = async () =>
      (await second.getSession({ headers: new Headers({ cookie }), url })).session
    expect(await check()).toMatchObject({ user: { name: "Ada" } })
    const listChanges = vi.spyOn(store, "listSessionChanges")
    const watch = vi.spyOn(store, "watchSessionChanges")
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

  test("is not brought back by a notification that anybody in the database can send", async () => {
    const opened = await kind.open()
    const options = { sessionRecords: true, notify: true, migrate: true } as const
    const store = SqlAdapter(opened.database, options)
    const { signIn, getSession, sessions } = startProcess(store)
    const signedIn = await signIn({ headers: new Headers(), url }, "credentials")
    const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const check = async () => (await getSession({ headers: new Headers({ cookie }), url })).session
    const saved: SessionChange[] = []
    const { saveSessionChange } = store
    store.saveSessionChange = async (change) => {
      saved.push(change)
      await saveSessionChange(change)
    }
    const watch = vi.spyOn(store, "watchSessionChanges")
    expect(await check()).not.toBeNull()
    await sessions.list("ada")
    await vi.waitFor(() => expect(watch).toHaveBeenCalledOnce())
    await watch.mock.results[0]?.value
    await sessions.revokeAll("ada")
    expect(await check()).toBeNull()
    const change = saved.find(({ key }) => key.startsWith("user "))
    const details = JSON.parse(change?.details ?? "")
    const later = new Date("2100-01-01")
    const forged = [{ before: 0 }, { before: 0, kind: "update" }].map((changes) => ({
      ...change,
      changedAt: later,
      details: JSON.stringify({ ...details, ...changes }),
    }))
    // As a role without any privilege sends it.
    const notify = (payload: string) =>
      opened.query(
        `select pg_notify('latchkey_' || '"LatchkeySessionChange"'::regclass::oid, ?)`,
        payload,
      )
    for (const each of forged) await notify(JSON.stringify(each))
    await notify(JSON.stringify({ ...change, changedAt: later, details: "no JSON" }))
    // Arrives after them.
    const other = SqlAdapter(opened.reconnect?.() ?? opened.database, options)
    const expires = new Date("2100-01-01")
    const marker = { key: "session marker", changedAt: new Date(), expires, details: "{}" }
    const onChange = vi.fn()
    const end = await other.watchSessionChanges?.(onChange, () => undefined)
    await other.saveSessionChange(marker)
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(marker), { timeout: 10_000 })
    await end?.()
    expect(await check()).toBeNull()
  })
})
