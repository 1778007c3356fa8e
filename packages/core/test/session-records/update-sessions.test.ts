/** `auth.sessions.update` changes sessions of other people, in other processes. */
import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test, vi } from "vitest"
import { createRecordApp, pageUrl, readCookies } from "../support/record-app.ts"

/** Keeps the roles that updates bring, in the claims. */
const jwtCallbacks: NonNullable<AuthConfig["callbacks"]> = {
  jwt: ({ token, trigger, session }) =>
    trigger === "update" ? { ...token, ...session, seen: [token["seen"], session].flat() } : token,
  session: ({ session, token }) => ({ ...session, role: token["role"], seen: token["seen"] }),
}

describe("an update by server code, strategy jwt", () => {
  test("reaches the session with its next check, in another process and once", async () => {
    const app = await createRecordApp({ strategy: "jwt", changes: { callbacks: jwtCallbacks } })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await second.signIn()
    const bob = await second.signIn("bob")
    const [session] = await first.auth.sessions.list("user-ada")
    const { id = "" } = session ?? {}
    expect(await first.auth.sessions.update(id, { role: "editor" })).toBe(true)
    expect(await first.auth.sessions.update(id, { role: "admin" })).toBe(true)
    const expected = { role: "admin", seen: [undefined, { role: "editor" }, { role: "admin" }] }
    const seen = [null, ...expected.seen.slice(1)]
    expect(await ada.getSession()).toMatchObject({ ...expected, seen })
    expect(await ada.getSession()).toMatchObject({ ...expected, seen })
    expect(await first.checkCookie(readCookies(ada))).toBe("ada")
    expect(await bob.getSession()).not.toHaveProperty("role")
    expect(await second.auth.sessions.update(id, { role: "reader" })).toBe(true)
    expect(await ada.getSession()).toMatchObject({ role: "reader" })
  })

  test("is applied before an update of the client", async () => {
    const app = await createRecordApp({ strategy: "jwt", changes: { callbacks: jwtCallbacks } })
    const { auth, signIn } = app.startProcess()
    const ada = await signIn()
    const [session] = await auth.sessions.list("user-ada")
    await auth.sessions.update(session?.id ?? "", { role: "editor", theme: "light" })
    const headers = new Headers({ cookie: readCookies(ada) })
    const updated = await auth.updateSession({ headers, url: pageUrl }, { theme: "dark" })
    expect(updated.session).toMatchObject({
      role: "editor",
      seen: [undefined, { role: "editor", theme: "light" }, { theme: "dark" }],
    })
  })

  test("is repeated as long as the callback fails", async () => {
    let isBroken = true
    const callbacks: NonNullable<AuthConfig["callbacks"]> = {
      ...jwtCallbacks,
      jwt({ token, trigger, session }) {
        if (trigger === "update" && isBroken) throw new Error("the directory does not respond")
        return trigger === "update" ? { ...token, ...session } : token
      },
    }
    const app = await createRecordApp({ strategy: "jwt", changes: { callbacks } })
    const { auth, signIn } = app.startProcess()
    const ada = await signIn()
    const [session] = await auth.sessions.list("user-ada")
    await auth.sessions.update(session?.id ?? "", { role: "editor" })
    expect((await ada.fetch("/auth/session")).status).toBe(503)
    isBroken = false
    expect(await ada.getSession()).toMatchObject({ role: "editor" })
  })

  test("can end the session", async () => {
    const callbacks: NonNullable<AuthConfig["callbacks"]> = {
      jwt: ({ token, trigger }) => (trigger === "update" ? null : token),
    }
    const app = await createRecordApp({ strategy: "jwt", changes: { callbacks } })
    const { auth, signIn } = app.startProcess()
    const ada = await signIn()
    const [session] = await auth.sessions.list("user-ada")
    await auth.sessions.update(session?.id ?? "", {})
    expect(await ada.getSession()).toBeNull()
  })
})

describe("an update by server code, strategy database", () => {
  test("calls the `session` callback once, in any process", async () => {
    const updates = vi.fn()
    const callbacks: NonNullable<AuthConfig["callbacks"]> = {
      session({ session, newSession, trigger }) {
        if (newSession !== undefined) updates(newSession, trigger)
        return { expires: String(session.expires), user: { name: session.user.name ?? null } }
      },
    }
    const app = await createRecordApp({ strategy: "database", changes: { callbacks } })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await second.signIn()
    const [session] = await first.auth.sessions.list("user-ada")
    await first.auth.sessions.update(session?.id ?? "", { role: "editor" })
    await first.auth.sessions.update(session?.id ?? "", { role: "admin" })
    // A check does not wait for the store: another process knows with a later one.
    await expect
      .poll(async () => {
        expect(await second.check(ada)).toBe("ada")
        return updates.mock.calls
      })
      .toEqual([
        [{ role: "editor" }, "update"],
        [{ role: "admin" }, "update"],
      ])
    for (const process of [second, first, first]) expect(await process.check(ada)).toBe("ada")
    expect(updates).toHaveBeenCalledTimes(2)
  })
})

test.each([
  ["no JSON", undefined, "undefined"],
  ["too large", "x".repeat(899), "901 bytes"],
])("data that is %s is refused", async (_, data, received) => {
  const app = await createRecordApp({ strategy: "jwt" })
  const { auth, signIn } = app.startProcess()
  await signIn()
  const [session] = await auth.sessions.list("user-ada")
  await expect(auth.sessions.update(session?.id ?? "", data)).rejects.toThrow(
    `at most 900 bytes as JSON. Received: ${received}.`,
  )
  expect(await auth.sessions.update(session?.id ?? "", "x".repeat(898))).toBe(true)
})
