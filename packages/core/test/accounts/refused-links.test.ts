/** A refused request to link an account returns to the page that asked for it. */
import { describe, expect, test } from "vitest"
import { ada, bob, createLinkingApp } from "../support/linking-app.ts"

const home = "https://app.example"
const fields = { link: "true", callbackUrl: "/account?tab=logins" }

async function signInAda() {
  const app = await createLinkingApp()
  app.work.setUser(ada)
  app.club.setUser(bob)
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  return { ...app, browser }
}

describe("the page that asked for an account", () => {
  test("learns that somebody else has it", async () => {
    const app = await signInAda()
    await app.openBrowser().signIn(app.club)
    const response = await app.browser.signIn(app.club, fields)
    const target = `${home}/account?tab=logins&error=OAuthAccountNotLinked`
    expect(response.headers.get("location")).toBe(target)
    expect(await app.browser.getSession()).toMatchObject({ user: { email: ada.email } })
  })

  test("learns that the visitor declined at the provider", async () => {
    const app = await signInAda()
    const url = await app.browser.startSignIn(app.club, fields)
    const response = await app.browser.open(app.club.deny(url))
    const target = `${home}/account?tab=logins&error=OAuthCallbackError`
    expect(response.headers.get("location")).toBe(target)
  })

  test("does not see the error again after an attempt that succeeds", async () => {
    const app = await signInAda()
    const callbackUrl = "/account?error=OAuthCallbackError&tab=logins"
    const response = await app.browser.signIn(app.club, { ...fields, callbackUrl })
    expect(response.headers.get("location")).toBe(`${home}/account?tab=logins`)
    expect(app.listAccounts().map((account) => account.split(" ")[0])).toEqual(["club", "work"])
  })

  test("keeps a parameter of its own", async () => {
    const app = await signInAda()
    const callbackUrl = "/account?error=404"
    const response = await app.browser.signIn(app.club, { ...fields, callbackUrl })
    expect(response.headers.get("location")).toBe(`${home}${callbackUrl}`)
  })
})

describe("the sign-in page", () => {
  test("shows a neutral notice if the visitor declined at the provider", async () => {
    const app = await signInAda()
    const bobs = app.openBrowser()
    const url = await bobs.startSignIn(app.club, { callbackUrl: "/inbox" })
    const refused = await bobs.open(app.club.deny(url))
    expect(refused.headers.get("location")).toBe(`${home}/auth/signin?error=OAuthCallbackError`)
    const html = await (await bobs.followRedirect(refused)).text()
    expect(html).toContain('class="error notice"')
    expect(html).toContain("The sign-in was not completed.")
    expect(html).toContain(`name="callbackUrl" value="${home}/inbox"`)
  })

  test("gets a request to link by a visitor who is signed out", async () => {
    const app = await signInAda()
    const stranger = app.openBrowser()
    const response = await stranger.signIn(app.club.id, fields)
    expect(response.headers.get("location")).toBe(
      `${home}/auth/signin?error=OAuthAccountNotLinked&callbackUrl=${encodeURIComponent(`${home}${fields.callbackUrl}`)}`,
    )
  })
})
