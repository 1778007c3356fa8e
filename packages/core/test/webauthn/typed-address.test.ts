/** Case 159: an address that somebody types when creating a passkey is not theirs. */
import passkey from "@latchkey/core/providers/passkey"
import { createScriptedProvider, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada } from "../support/linking-app.ts"
import { createPasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"

const strategies = ["database", "jwt"] as const
const typedAddress = { action: "register", email: ada.email }

async function createAppWithProvider(strategy: "database" | "jwt") {
  const work = await createScriptedProvider({ id: "work", issuer: "https://work.example" })
  work.setUser(ada)
  const providers = [passkey(), work.asOidc()]
  return { work, ...(await createPasskeyApp({ session: { strategy }, providers })) }
}

describe.each(strategies)("an address that was typed for a passkey (%s)", (strategy) => {
  test("is neither stored nor in a session, and names the passkey on the device", async () => {
    const { openPasskeyBrowser, rows } = await createPasskeyApp({ session: { strategy } })
    const squatter = openPasskeyBrowser()
    const asked = await squatter.requestOptions(typedAddress)
    expect(asked.options?.user).toMatchObject({ name: ada.email })
    await squatter.sendResponse("register", await squatter.createResponse(asked))
    for (const signIn of [undefined, () => squatter.signIn()]) {
      await signIn?.()
      const session = await squatter.browser.getSession()
      expect(session).not.toBeNull()
      expect(JSON.stringify(session)).not.toContain(ada.email)
    }
    expect(rows("User")).toMatchObject([{ email: null, emailVerified: null }])
    expect(JSON.stringify([rows("User"), rows("Account")])).not.toContain(ada.email)
  })

  test("does not lock its owner out, who signs in with a provider", async () => {
    const { openPasskeyBrowser, openBrowser, work, rows } = await createAppWithProvider(strategy)
    await openPasskeyBrowser().runCeremony(typedAddress)
    const owner = openBrowser()
    expect(getRedirectError(await owner.signIn(work))).toBeNull()
    expect(await owner.getSession()).toMatchObject({ user: { email: ada.email } })
    expect(rows("User")).toHaveLength(2)
  })

  test("stays with a user who proved it elsewhere and adds a passkey", async () => {
    const { openBrowser, work, rows } = await createAppWithProvider(strategy)
    const owner = new PasskeyBrowser(openBrowser())
    await owner.browser.signIn(work)
    const response = await owner.runCeremony({ ...typedAddress, link: "true" })
    expect(getRedirectError(response)).toBeNull()
    await owner.browser.signOut()
    await owner.signIn()
    expect(await owner.browser.getSession()).toMatchObject({ user: { email: ada.email } })
    expect(rows("User")).toHaveLength(1)
  })
})

test("the application's own `getUserInfo` does not prove an address either", async () => {
  const user = { name: "Not Ada", email: ada.email }
  const { openPasskeyBrowser, rows } = await createPasskeyApp(
    {},
    { getUserInfo: () => ({ exists: false, user }) },
  )
  const squatter = openPasskeyBrowser()
  await squatter.runCeremony({ action: "register" })
  expect(rows("User")).toMatchObject([{ name: "Not Ada", email: null }])
})

test("a name is enough for a passkey", async () => {
  const { openPasskeyBrowser, rows } = await createPasskeyApp()
  const person = openPasskeyBrowser()
  const asked = await person.requestOptions({ action: "register", name: "Ada" })
  expect(asked.options?.user).toMatchObject({ name: "Ada", displayName: "Ada" })
  await person.sendResponse("register", await person.createResponse(asked))
  expect(await person.browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  expect(rows("User")).toMatchObject([{ name: "Ada", email: null }])
})
