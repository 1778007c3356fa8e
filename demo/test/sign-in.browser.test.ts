import { describe, expect, test } from "vitest"
import { openForm, openSignIn, signInWithTenant, type TestBrowser } from "./support/browser.ts"
import { useDemo } from "./support/demo-suite.ts"

const suite = useDemo()
const { openBrowser } = suite

describe.each([
  { javaScript: true, words: "with JavaScript" },
  { javaScript: false, words: "without JavaScript" },
])("$words", ({ javaScript, words }) => {
  test("signs in with the tenant provider and returns to the protected page", async () => {
    const ada = await openBrowser(javaScript)
    await signInWithTenant(ada.page)

    await expectText(ada, "h1", "Ada Lindqvist’s journal")
    expect(await ada.session()).toMatchObject({
      user: { name: "Ada Lindqvist", email: "ada@riverside.example" },
    })
    await suite.demo.waitForOutput("Ada Lindqvist signed in with Alder ID")
    await signOut(ada)
    await suite.demo.waitForOutput("Ada Lindqvist signed out")
    await ada.closeAndVerify()
  })

  test("signs in with the social provider and shows its picture", async () => {
    const priya = await openBrowser(javaScript)
    await openSignIn(priya.page)
    await priya.page.getByRole("button", { name: "Sign in with Plaza" }).click()
    await priya.page.getByRole("button", { name: "Allow as Priya Nair" }).click()
    await priya.page.waitForURL("/journal")

    expect(await priya.session()).toMatchObject({
      user: { name: "Priya Nair", email: "priya.n@plaza.example", image: "/avatars/poppy" },
    })
    await priya.page.goto("/account")
    const picture = priya.page.locator("main img.avatar")
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
      0,
    )
    await signOut(priya)
    await priya.closeAndVerify()
  })

  test("signs in with a link by email, which works once", async () => {
    const address = `rosa.${javaScript}@example.com`
    const rosa = await openBrowser(javaScript)
    const { page } = rosa
    await openSignIn(page)
    await openForm(page, "Sign in with an email link")
    await page.getByLabel("Email").fill(address)
    await page.getByRole("button", { name: "Email me a sign-in link" }).click()
    await page.waitForURL(/verify-request/)
    await expectText(rosa, "h1", "Check your email")
    await expectText(rosa, "strong", address)
    await page.getByRole("button", { name: "Send another email" }).click()
    await expectText(rosa, "[role=status]", /We sent an email a moment ago/)

    await page.goto("/")
    await page.getByRole("link", { name: "demo inbox" }).click()
    const letter = page.getByRole("article").filter({ hasText: address })
    const url = await letter.getByRole("link").first().getAttribute("href")
    await letter.getByRole("link", { name: "View it as mail clients show it" }).click()
    const button = page.getByRole("link", { name: "Sign in", exact: true })
    expect(await button.getAttribute("href")).toBe(url)
    const [tab] = await Promise.all([page.waitForEvent("popup"), button.click()])
    await tab.waitForURL("/journal")
    await tab.close()
    await page.goto("/journal")
    expect(await rosa.session()).toMatchObject({ user: { email: address } })

    const thief = await openBrowser(javaScript)
    await thief.page.goto(url ?? "")
    await expectText(thief, "h1", "Enter the code from the email")
    await thief.page.getByLabel("Code").fill("123456")
    await thief.page.getByLabel("Code").press("Enter")
    await expectText(thief, "[role=alert]", /This code no longer works/)
    expect(await thief.session()).toBeNull()
    await thief.closeAndVerify()
    await signOut(rosa)
    await rosa.closeAndVerify()
  })

  test("signs in with the code of an email that is read in another browser", async () => {
    const address = `olga.${javaScript}@example.com`
    const olga = await openBrowser(javaScript)
    await openSignIn(olga.page)
    await openForm(olga.page, "Sign in with an email link")
    await olga.page.getByLabel("Email").fill(address)
    await olga.page.getByRole("button", { name: "Email me a sign-in link" }).click()
    await expectText(olga, "h1", "Check your email")

    const phone = await openBrowser(javaScript)
    await phone.page.goto("/inbox")
    const letter = phone.page.getByRole("article").filter({ hasText: address })
    const [code = ""] = /(?<!\d)\d{6}(?!\d)/.exec((await letter.textContent()) ?? "") ?? []
    await phone.page.goto((await letter.getByRole("link").first().getAttribute("href")) ?? "")
    expect(await phone.session()).toBeNull()
    await phone.closeAndVerify()

    await olga.page.getByLabel("Code").fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await olga.page.getByRole("button", { name: "Sign in", exact: true }).click()
    await olga.page.waitForURL("/journal")
    expect(await olga.session()).toMatchObject({ user: { email: address } })
    await signOut(olga)
    await olga.closeAndVerify()
  })

  test("creates an account with a password, and signs in with it", async () => {
    const username = `tom.${javaScript}`
    const tom = await openBrowser(javaScript)
    const { page } = tom
    await page.goto(javaScript ? "/" : "/auth/signin")
    await page.getByRole("link", { name: "Create an account" }).click()
    await page.waitForURL(/\/join/)
    await page.getByLabel("Your name").fill("Tom <Bombadil>")
    await page.getByLabel("User name").fill(username.toUpperCase())
    await page.getByLabel("Password").fill("under the willow")
    await page.getByRole("button", { name: "Create account" }).click()
    await page.waitForURL("/journal")
    await expectText(tom, "h1", "Tom <Bombadil>’s journal")
    await signOut(tom)

    await openSignIn(page)
    await page.getByLabel("User name").fill(username)
    await page.getByLabel("Password").fill("over the willow")
    await page.getByRole("button", { name: /^Sign in( Last used)?$/ }).click()
    await page.waitForURL(/error=CredentialsSignin/)
    await expectText(
      tom,
      "[role=alert]",
      "Incorrect sign-in details. Check what you entered and try again.",
    )
    expect(await tom.session()).toBeNull()

    await page.getByLabel("User name").fill(username)
    await page.getByLabel("Password").fill("under the willow")
    await page.getByRole("button", { name: /^Sign in( Last used)?$/ }).click()
    await page.waitForURL("/journal")
    expect(await tom.session()).toMatchObject({ user: { name: "Tom <Bombadil>", email: "" } })
    await signOut(tom)
    await tom.closeAndVerify()
  })

  test("both providers accept any name in any script", async () => {
    const guest = await openBrowser(javaScript)
    const { page } = guest
    await openSignIn(page)
    await page.getByRole("button", { name: "Sign in with Alder ID" }).click()
    await page.getByLabel("Use another name").fill(`Жанна ${words}`)
    await page.getByRole("button", { name: "Continue" }).click()
    await page.waitForURL("/journal")
    await signOut(guest)

    await openSignIn(page)
    await page.getByRole("button", { name: "Sign in with Plaza" }).click()
    await page.getByLabel("Use another name").fill(`Łukasz ${words}`)
    await page.getByRole("button", { name: "Allow", exact: true }).click()
    await page.waitForURL("/journal")
    await expectText(guest, "h1", `Łukasz ${words}’s journal`)
    await guest.closeAndVerify()
  })

  test("a user who cancels at a provider returns to the sign-in page", async () => {
    const hesitant = await openBrowser(javaScript)
    const { page } = hesitant
    for (const [provider, button] of [
      ["Alder ID", "Cancel and go back"],
      ["Plaza", "Don’t allow"],
    ] as const) {
      await openSignIn(page)
      await page.getByRole("button", { name: `Sign in with ${provider}` }).click()
      await page.getByRole("button", { name: button }).click()
      await page.waitForURL(/\/auth\/signin\?error=OAuthCallbackError/)
      await expectText(hesitant, "[role=alert]", /^The sign-in was not completed/)
      expect(await hesitant.session()).toBeNull()
    }
    await hesitant.closeAndVerify()
  })
})

async function expectText(
  { page }: TestBrowser,
  selector: string,
  text: string | RegExp,
): Promise<void> {
  const found = (await page.locator(selector).first().textContent())?.trim()
  if (typeof text === "string") expect(found).toBe(text)
  else expect(found).toMatch(text)
}

/** Signs out on the account page, and waits for the home page with its sign-in link. */
async function signOut(testBrowser: TestBrowser): Promise<void> {
  await testBrowser.page.goto("/account")
  await testBrowser.page.getByRole("button", { name: "Sign out" }).click()
  await testBrowser.page.waitForURL("/")
  await testBrowser.page.locator("main").getByRole("link", { name: "Sign in" }).waitFor()
  expect(await testBrowser.session()).toBeNull()
}
