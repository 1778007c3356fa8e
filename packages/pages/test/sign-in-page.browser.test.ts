/** The sign-in page in a browser without scripts: keyboard, focus and size. */

import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import type { PageProvider } from "../src/pages/page-provider.ts"
import type { SignInPageProps } from "../src/pages/sign-in-page.ts"
import { createPages } from "./support/built-in-pages.ts"

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  const viewport = { width: 320, height: 640 }
  page = await (await browser.newContext({ javaScriptEnabled: false, viewport })).newPage()
})
afterAll(() => browser.close())

const action = "https://app.example/auth/x"
const providers: PageProvider[] = [
  { id: "a", name: "Acme", type: "oauth", action },
  { id: "email", name: "Email", type: "email", action },
  {
    id: "credentials",
    name: "Credentials",
    type: "credentials",
    action,
    identifierField: "name",
    fields: { name: { label: "Name" }, word: { label: "Word", type: "password" } },
  },
]

async function open(props: Partial<SignInPageProps> = {}): Promise<void> {
  const content = { providers, csrfToken: "t", callbackUrl: "/", ...props }
  await page.setContent((await createPages({}).signIn(content)).html)
}

test("a form opens with the keyboard, and closes when another one opens", async () => {
  await open()
  for (const key of ["Tab", "Tab", "Enter", "Tab"]) await page.keyboard.press(key)
  await page.keyboard.type("ada@example.com")
  expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com")
  await page.locator("summary", { hasText: "Sign in with a password" }).press("Space")
  expect(await page.getByLabel("Word").isVisible()).toBe(true)
  expect(await page.getByLabel("Email").isVisible()).toBe(false)
})

test("after an error, the next characters go to the empty field", async () => {
  const failure = { provider: "credentials", identifier: "ada" }
  await open({ error: "CredentialsSignin", failure })
  // Browsers move the focus with the first frame.
  await page.getByLabel("Word").and(page.locator(":focus")).waitFor()
  await page.keyboard.type("sesame")
  expect(await page.getByLabel("Name").inputValue()).toBe("ada")
  expect(await page.getByLabel("Word").inputValue()).toBe("sesame")
})

test("buttons are at least 44 pixels high, and nothing is wider than 320 pixels", async () => {
  await open({ lastUsed: "a", signUpUrl: "/register" })
  for (const button of await page.locator(".button:visible").all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  const card = await page.locator(".card").boundingBox()
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(320)
})

test("the box stays signed in with a keyboard, for the form or the buttons that it is next to", async () => {
  const sent: string[] = []
  await page.route("https://app.example/**", (route) => {
    sent.push(new URLSearchParams(route.request().postData() ?? "").getAll("rememberMe").join())
    return route.fulfill({ status: 204 })
  })
  await open({ rememberMe: false })
  const box = page.locator("#remember-me").getByLabel("Keep me signed in")
  await page.getByRole("button", { name: "Acme" }).press("Enter")
  await expect.poll(() => sent).toEqual(["false"])
  await box.press("Space")
  await page.getByRole("button", { name: "Acme" }).press("Enter")
  await expect.poll(() => sent).toEqual(["false", "false,true"])
  await page.locator("summary", { hasText: "Sign in with email" }).press("Enter")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByLabel("Email").press("Enter")
  await expect.poll(() => sent.at(-1)).toBe("false")
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.unroute("https://app.example/**")
})
