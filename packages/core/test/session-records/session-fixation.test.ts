/** Session fixation: what an attacker plants in a browser says nothing about the session that begins in it. */
import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { readSessionCookie } from "../support/password-app.ts"
import { createRecordApp } from "../support/record-app.ts"

describe.each(["jwt", "database"] as const)("a planted session, strategy %s", (strategy) => {
  async function open() {
    const app = await createRecordApp({ strategy })
    const process = app.startProcess()
    const mallory = await process.signIn("bob")
    const [planted] = await process.auth.sessions.list("user-bob")
    const victim = process.openBrowser()
    const cookie = `${sessionCookieName}=${readSessionCookie(mallory)}; Path=/; Secure; HttpOnly`
    victim.cookies.setUnchecked(victim.origin, cookie)
    await victim.signIn("credentials", { name: "ada" })
    return { ...process, mallory, planted, victim }
  }

  test("gives the victim's session neither its id nor its record", async () => {
    const { auth, planted, mallory, victim, check } = await open()
    const sessions = await auth.sessions.list("user-ada")
    expect(sessions).toMatchObject([{ userId: "user-ada" }])
    expect(sessions[0]?.id).not.toBe(planted?.id)
    expect(await check(victim)).toBe("ada")
    expect(await check(mallory)).toBeNull()
    expect(await auth.sessions.get(planted?.id ?? "")).toBeNull()
  })

  test("does not come back with its id, and its id opens nothing", async () => {
    const { auth, planted, mallory, victim, check, checkCookie } = await open()
    expect(await auth.sessions.revoke(planted?.id ?? "")).toBeNull()
    expect(await check(mallory)).toBeNull()
    const [session] = await auth.sessions.list("user-ada")
    expect(await checkCookie(`${sessionCookieName}=${session?.id}`)).toBeNull()
    expect(await check(victim)).toBe("ada")
  })
})
