/** `auth.sessions` lists and ends sessions, in both strategies and in all processes. */
import { describe, expect, test } from "vitest"
import { createRecordApp, readCookies } from "../support/record-app.ts"

describe.each(["jwt", "database"] as const)("recorded sessions, strategy %s", (strategy) => {
  test("each sign-in is a session that its user can list", async () => {
    const app = await createRecordApp({ strategy })
    const { auth, signIn } = app.startProcess()
    await signIn()
    await signIn()
    await signIn("bob")
    const sessions = await auth.sessions.list("user-ada")
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({
      userId: "user-ada",
      provider: "credentials",
      method: "credentials",
    })
    expect(await auth.sessions.get(sessions[0]?.id ?? "")).toEqual(sessions[0])
  })

  test("a revoked session is refused by another process", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    const other = await first.signIn()
    expect(await second.check(ada)).toBe("ada")
    const [session] = (await first.auth.sessions.list("user-ada")).slice(-1)
    expect(await first.auth.sessions.revoke(session?.id ?? "")).toMatchObject({ id: session?.id })
    expect(await second.check(ada)).toBeNull()
    expect(await second.check(other)).toBe("ada")
    expect(await second.auth.sessions.list("user-ada")).toHaveLength(1)
    expect(await first.auth.sessions.revoke(session?.id ?? "")).toBeNull()
  })

  test("a copied cookie ends with a sign-out", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const ada = await first.signIn()
    const copy = readCookies(ada)
    await ada.signOut()
    expect(await second.checkCookie(copy)).toBeNull()
    expect(app.countRecords()).toBe(0)
  })
})
