/** `auth.sessions` lists, changes and ends sessions, in both strategies and in all processes. */
import { InvalidOption } from "@latchkey/core/errors"
import { type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createRecordApp, readCookies } from "../support/record-app.ts"

const unknownIds = ["unknown", "", "x".repeat(65), "not an id\n"]

describe.each(["jwt", "database"] as const)("recorded sessions, strategy %s", (strategy) => {
  test("each sign-in is a session that its user can list, the latest first", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn, openBrowser } = app.startProcess({
      session: {
        strategy,
        records: {
          deviceLabel: ({ headers }) => `Browser of ${headers.get("user-agent")}`,
          network: true,
        },
      },
    })
    await signIn()
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000)
    onTestFinished(() => clock.mockRestore())
    const browser = openBrowser()
    const page = await browser.fetch("/auth/csrf")
    const { csrfToken } = (await page.json()) as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, name: "ada" })
    const headers = { "user-agent": "a test", "x-forwarded-for": "192.0.2.1" }
    await browser.fetch("/auth/callback/credentials", { method: "POST", body, headers })
    await signIn("bob")
    const sessions = await auth.sessions.list("user-ada")
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22,43}$/),
        userId: "user-ada",
        createdAt: expect.any(Date),
        lastSeenAt: expect.any(Date),
        expires: expect.any(Date),
        provider: "credentials",
        method: "credentials",
        authTime: expect.any(Date),
        acr: undefined,
        amr: undefined,
        level: 1,
        factorTime: undefined,
        label: "Browser of a test",
        // The framework tells the address; headers that clients can set do not count.
        network: undefined,
      },
      expect.objectContaining({ userId: "user-ada" }),
    ])
    const [latest, earlier] = sessions
    expect(Number(latest?.createdAt) - Number(earlier?.createdAt)).toBeGreaterThan(59_000)
    expect(await auth.sessions.get(latest?.id ?? "")).toEqual(latest)
    expect(await auth.sessions.list("nobody")).toEqual([])
  })

  test("the network of a client is that of the address from the framework", async () => {
    const app = await createRecordApp({ strategy, records: { network: true } })
    const { auth } = app.startProcess()
    for (const clientAddress of ["2001:db8:1:2:3:4:5:6", "127.0.0.1"]) {
      const request = { headers: new Headers(), url: "https://app.example/", clientAddress }
      await auth.signIn(request, "credentials", { fields: { name: "ada" } })
    }
    const networks = (await auth.sessions.list("user-ada")).map(({ network }) => network)
    expect(networks.filter(Boolean)).toEqual(["2001:db8:1:2"])
  })

  test("a revoked session is refused by another process, and the others are not", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    const [session] = await first.auth.sessions.list("user-ada")
    const other = await first.signIn()
    expect(await second.check(ada)).toBe("ada")
    const { id = "" } = session ?? {}
    expect(await first.auth.sessions.revoke(id)).toMatchObject({ id, userId: "user-ada" })
    expect(await second.check(ada)).toBeNull()
    expect(await second.check(other)).toBe("ada")
    expect(await second.auth.sessions.list("user-ada")).toHaveLength(1)
    expect(await second.auth.sessions.get(id)).toBeNull()
  })

  test("of several requests that revoke a session, one learns that it did", async () => {
    const app = await createRecordApp({ strategy })
    const processes = [app.startProcess(), app.startProcess(), app.startProcess()]
    await processes[0]?.signIn()
    const [session] = (await processes[0]?.auth.sessions.list("user-ada")) ?? []
    const revoked = await Promise.all(
      processes.map(({ auth }) => auth.sessions.revoke(session?.id ?? "")),
    )
    expect(revoked.filter(Boolean)).toMatchObject([{ id: session?.id }])
  })

  test("all sessions of a user end, except the one that stays", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const [ada, bob] = [await first.signIn(), await first.signIn("bob")]
    const [kept] = await first.auth.sessions.list("user-ada")
    const others = [await first.signIn(), await second.signIn()]
    expect(await second.auth.sessions.revokeAll("user-ada", { except: kept?.id })).toBe(2)
    for (const browser of others) {
      expect(await first.check(browser)).toBeNull()
      expect(await second.check(browser)).toBeNull()
    }
    expect(await first.check(ada)).toBe("ada")
    expect(await first.check(bob)).toBe("bob")
    expect(await first.auth.sessions.list("user-ada")).toMatchObject([{ id: kept?.id }])
    expect(await first.auth.sessions.revokeAll("user-ada")).toBe(1)
    expect(await second.check(ada)).toBeNull()
    expect(await first.auth.sessions.revokeAll("user-ada")).toBe(0)
    expect(await first.check(await first.signIn())).toBe("ada")
  })

  test("the id of another user's session keeps none", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn, check } = app.startProcess()
    const [ada, bob] = [await signIn(), await signIn("bob")]
    const [session] = await auth.sessions.list("user-bob")
    expect(await auth.sessions.revokeAll("user-ada", { except: session?.id })).toBe(1)
    expect(await check(ada)).toBeNull()
    expect(await check(bob)).toBe("bob")
  })

  test("a session that was revoked does not come back as the one that stays", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn, check } = app.startProcess()
    const ada = await signIn()
    const [session] = await auth.sessions.list("user-ada")
    await auth.sessions.revokeAll("user-ada")
    await auth.sessions.revokeAll("user-ada", { except: session?.id })
    expect(await check(ada)).toBeNull()
  })

  test("nor if another request revokes it at the same time", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    await first.signIn()
    const [owner] = await first.auth.sessions.list("user-ada")
    const thief = await second.signIn()
    const others = await first.auth.sessions.list("user-ada")
    const stolen = others.find(({ id }) => id !== owner?.id)
    const { listSessionRecords } = second.adapter
    second.adapter.listSessionRecords = async (userId) => {
      const records = await listSessionRecords(userId)
      await first.auth.sessions.revokeAll("user-ada", { except: owner?.id })
      return records
    }
    await second.auth.sessions.revokeAll("user-ada", { except: stolen?.id })
    expect(await first.check(thief)).toBeNull()
    expect(await second.check(thief)).toBeNull()
  })

  test("a copied cookie ends with the sign-out, in all processes", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    const copy = readCookies(ada)
    expect(await second.checkCookie(copy)).toBe("ada")
    await ada.signOut()
    expect(await first.checkCookie(copy)).toBeNull()
    expect(await second.checkCookie(copy)).toBeNull()
    expect(app.countRecords()).toBe(0)
  })

  test("a sign-in ends the session that the browser had", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    const copy = readCookies(ada)
    await ada.signIn("credentials", { name: "bob" })
    expect(await second.checkCookie(copy)).toBeNull()
    expect(await second.check(ada)).toBe("bob")
    expect(await first.auth.sessions.list("user-ada")).toEqual([])
    expect(app.countRecords()).toBe(1)
  })

  test("a deleted user has no sessions", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    expect(await first.auth.users.delete("user-ada")).toMatchObject({ id: "user-ada" })
    expect(await second.check(ada)).toBeNull()
    expect(app.countRecords()).toBe(0)
  })

  test("a database that compares ids loosely shows and ends no session of another user", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn, check, adapter } = app.startProcess()
    const [ada, bob] = [await signIn(), await signIn("bob")]
    const [ofBob] = await auth.sessions.list("user-bob")
    const { listSessionRecords, getSessionRecord } = adapter
    adapter.listSessionRecords = async () => [
      ...(await listSessionRecords("user-ada")),
      ...(await listSessionRecords("user-bob")),
    ]
    adapter.getSessionRecord = () => getSessionRecord(ofBob?.id ?? "")
    expect(await auth.sessions.list("user-ada")).toMatchObject([{ userId: "user-ada" }])
    expect(await auth.sessions.get("similar")).toBeNull()
    expect(await auth.sessions.update("similar", {})).toBe(false)
    const deleteSessionRecord = vi.spyOn(adapter, "deleteSessionRecord")
    expect(await auth.sessions.revoke("similar")).toBeNull()
    expect(deleteSessionRecord).not.toHaveBeenCalled()
    expect(await auth.sessions.revokeAll("user-ada")).toBe(1)
    expect([await check(ada), await check(bob)]).toEqual([null, "bob"])
    expect(await auth.sessions.list("user-bob")).toEqual([ofBob])
  })

  test("no session has an id that nobody gave", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn, check } = app.startProcess()
    const ada = await signIn()
    for (const id of unknownIds) {
      expect(await auth.sessions.get(id)).toBeNull()
      expect(await auth.sessions.revoke(id)).toBeNull()
      expect(await auth.sessions.update(id, {})).toBe(false)
    }
    expect(await check(ada)).toBe("ada")
  })

  test("without the option, there is nothing to manage and nothing is stored", async () => {
    const app = await createRecordApp({ strategy, records: false })
    const { auth, signIn, check } = app.startProcess()
    expect(await check(await signIn())).toBe("ada")
    await expect(auth.sessions.list("user-ada")).rejects.toBeInstanceOf(InvalidOption)
    expect(app.countRecords()).toBe(0)
  })
})

test("`revokeAll` ends a session that begins meanwhile, on a server whose clock is ahead", async () => {
  const app = await createRecordApp({ strategy: "jwt" })
  const [first, second] = [app.startProcess(), app.startProcess()]
  const { listSessionRecords } = first.adapter
  let late: TestBrowser | undefined
  first.adapter.listSessionRecords = async (userId) => {
    const records = await listSessionRecords(userId)
    late ??= await withFrozenTime(Date.now() + 20_000, () => second.signIn())
    return records
  }
  await first.auth.sessions.revokeAll("user-ada")
  if (!late) throw new Error("nobody signed in meanwhile")
  expect(await second.check(late)).toBeNull()
})
