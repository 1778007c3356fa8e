/** The page that waits for the link of an e-mail, in Chromium: it goes on by itself, and a double press counts once. */

import { createAuth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { launchChromium } from "../../../../scripts/test-setup/launch-chromium.ts"
import { type ServedApp, serveApp } from "../support/chromium.ts"
import { testSiteSecret } from "../support/test-site.ts"

const database = openSqlite(":memory:")
const sent: { url: string; code: string }[] = []
const contexts: BrowserContext[] = []
let browser: Browser
let app: ServedApp

beforeAll(async () => {
  await migrate(database)
  browser = await launchChromium()
  app = await serveApp(() =>
    createAuth({
      adapter: SqlAdapter(database),
      secret: testSiteSecret,
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        {
          id: "email",
          name: "Email",
          type: "email",
          sendsCode: true,
          sendVerificationRequest: ({ url, code = "" }) => void sent.push({ url, code }),
        },
      ],
    }),
  )
})

afterAll(async () => {
  await browser.close()
  await app.close()
  database.close()
})

afterEach(async () => {
  app.intercept = undefined
  for (const context of contexts.splice(0)) await context.close()
})

/** Requests an e-mail, and waits for it on the page that says so. */
async function requestEmail(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.origin, ...options })
  contexts.push(context)
  const page = await context.newPage()
  await page.goto("/auth/signin?callbackUrl=/notes")
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByRole("button", { name: "Email me a sign-in link" }).click()
  await page.getByRole("heading", { name: "Check your email" }).waitFor()
  return page
}

const getLatest = () => sent.at(-1) ?? { url: "", code: "" }

async function openLink(page: Page): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(getLatest().url)
  await tab.waitForURL("/notes")
}

test("goes on by itself when the link was opened in another tab", async () => {
  const page = await requestEmail()
  expect(await page.getByRole("link", { name: "Continue" }).isVisible()).toBe(false)
  await openLink(page)
  await page.waitForURL("/notes")
})

test("goes on after a press of the link without scripts", async () => {
  const page = await requestEmail({ javaScriptEnabled: false })
  await page.getByRole("link", { name: "Continue" }).click()
  await page.getByText("You are not signed in yet.").waitFor()
  await openLink(page)
  await page.getByRole("link", { name: "Continue" }).click()
  await page.waitForURL("/notes")
})

test("shows the link when the server does not answer, and goes on when it does again", async () => {
  const page = await requestEmail()
  app.intercept = ({ url }) =>
    url.includes("continue=true") ? new Response("Bad gateway", { status: 502 }) : undefined
  const link = page.getByRole("link", { name: "Continue" })
  await link.waitFor()
  app.intercept = undefined
  await link.waitFor({ state: "hidden" })
  await openLink(page)
  await page.waitForURL("/notes")
})

test("takes a code that is typed with the keyboard, and counts a double press once", async () => {
  const page = await requestEmail()
  const submitted: string[] = []
  app.intercept = ({ method, url }) => {
    if (method === "POST") submitted.push(new URL(url).pathname)
    return undefined
  }
  await page.getByLabel("Code from the email").fill(getLatest().code)
  await page.getByRole("button", { name: "Sign in" }).dblclick()
  await page.waitForURL("/notes")
  expect(submitted).toEqual(["/auth/callback/email"])
})

test("has the focus in the field after a wrong code, whose error is announced with it", async () => {
  const page = await requestEmail()
  const field = page.getByLabel("Code from the email")
  const wrong = String((Number(getLatest().code) + 1) % 1_000_000).padStart(6, "0")
  await field.fill(wrong)
  await page.keyboard.press("Enter")
  await field.and(page.locator(":focus")).waitFor()
  const description = await field.getAttribute("aria-describedby")
  expect(await page.locator(`#${description}`).innerText()).toContain("Attempts left: 4.")
  await page.keyboard.type(getLatest().code)
  await page.keyboard.press("Enter")
  await page.waitForURL("/notes")
})
