/** Looks at the built site in Chromium: `npm run docs:build` builds it. */

import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findViolations } from "../../demo/test/support/page-checks.ts"
import { launchChromium } from "../../scripts/test-setup/launch-chromium.ts"
import { type StaticServer, startStaticServer } from "./static-server.ts"

const folder = join(import.meta.dirname, "../dist")
let browser: Browser
let server: StaticServer

beforeAll(async () => {
  if (!existsSync(join(folder, "index.html")))
    throw new Error("The site is not built. Run: npm run docs:build")
  server = await startStaticServer(folder)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

/** Opens a page, calls a function with it, and returns the requests that left the site and the errors of its scripts. */
async function visit(
  path: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<string[]> {
  const context = await browser.newContext({ baseURL: server.origin, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(server.origin) && !url.startsWith("data:")) problems.push(url)
  })
  page.on("pageerror", (error) => problems.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  await page.goto(path, { waitUntil: "networkidle" })
  await use(page)
  await context.close()
  return problems
}

/** Opens the search with its keys, and returns its input. They do nothing until the script of the page has started. */
async function openSearch(page: Page): Promise<Locator> {
  const input = page.locator("input.search-input")
  const press = async () => {
    if (!(await input.isVisible())) await page.keyboard.press("Control+k")
    return input.isVisible()
  }
  await expect.poll(press, { timeout: 20_000 }).toBe(true)
  return input
}

const readBackground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe.each([320, 1280])("at %d pixels", (width) => {
  const viewport = { width, height: 800 }

  test.each([
    "/",
    "/all-pages",
    "/providers",
    "/adapters",
    "/errors/MissingSecret",
    "/migrating",
    "/security/cases",
  ])("%s fits the window and requests nothing from other hosts", async (path) => {
    const problems = await visit(path, { viewport }, async (page) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      await expect.poll(() => page.locator("h1").count()).toBe(1)
    })
    expect(problems).toEqual([])
  })

  test("the search finds the page of an error, with the keyboard alone", async () => {
    const problems = await visit("/sessions", { viewport }, async (page) => {
      await (await openSearch(page)).pressSequentially("MissingSecret")
      await page.locator(".results a", { hasText: "MissingSecret" }).first().waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL("**/errors/MissingSecret#*")
      await page.getByRole("heading", { level: 1, name: "MissingSecret" }).waitFor()
    })
    expect(problems).toEqual([])
  })
})

/** Questions of people, each with the pages of which one answers it. */
const questions: readonly (readonly [string, RegExp])[] = [
  ["protect a page", /^\/(?:authorization|express|sveltekit|solid-start|qwik)#protecting/],
  ["how do I sign out", /^\/(?:express|sveltekit|solid-start|qwik|hono|next)#signing/],
  ["log out everywhere", /^\/session-management#signing-out-everywhere$/],
  ["who is signed in", /#who-is-signed-in$/],
  ["get the current user", /#who-is-signed-in$/],
  ["add a role to the session", /^\/roles#/],
  ["delete my account", /^\/deleting-accounts#/],
  ["magic link", /^\/email#/],
  ["send e-mail", /^\/email#/],
  ["sign in with a password", /^\/(?:sign-in|credentials)#/],
  ["forgotten password", /^\/credentials#/],
  ["custom OAuth provider", /^\/providers#custom-providers$/],
  ["change the colours of the sign-in page", /^\/pages#/],
  ["logo", /^\/pages#logo/],
  ["translate", /^\/languages#/],
  ["remember me", /^\/session-lifetimes#remember-me/],
  ["when does a session expire", /^\/session-lifetimes#/],
  ["invite a user", /^\/invitations#/],
  ["behind a proxy", /#behind-a-proxy$/],
  ["mobile app", /^\/apis-and-mobile#/],
  ["bearer token", /^\/(?:apis-and-mobile|provider-tokens)#/],
  ["client without a bundler", /^\/client#without-a-bundler$/],
  ["new password sign out other devices", /^\/(?:session-management|credentials)#/],
  ["CORS", /^\/separate-front-end#/],
  ["link a second account", /^\/accounts#/],
  ["passkeys", /^\/passkeys#/],
  ["two-factor authentication", /^\/second-factor#/],
  ["audit log", /^\/audit-log#/],
  ["database adapter", /^\/adapters#/],
  ["test a signed-in user", /^\/testing#/],
  ["types of the session", /^\/types#/],
  ["deploy to production", /^\/deployment#/],
  ["docker", /^\/hosting#containers$/],
  ["move from next-auth", /^\/migrating-from-next-auth-4#/],
  ["migrate from passport", /^\/migrating-from-passport#/],
  ["rate limit", /^\/sign-in#/],
  ["getAccessToken", /^\/provider-tokens#/],
  ["redirect_uri_mismatch", /^\/(?:doctor|errors\/CallbackRouteError)#/],
]

test("the search answers everyday questions with the right page first", async () => {
  const problems = await visit("/sessions", {}, async (page) => {
    const input = await openSearch(page)
    const first = page.locator(".results a").first()
    for (const [question, answer] of questions) {
      await input.fill("")
      await first.waitFor({ state: "detached" })
      await input.fill(question)
      expect.soft(await first.getAttribute("href"), question).toMatch(answer)
    }
  })
  expect(problems).toEqual([])
})

test("the search leaves out the list of attacks, which has every word", async () => {
  await visit("/sessions", {}, async (page) => {
    await (await openSearch(page)).pressSequentially("redirect uri")
    const results = page.locator(".results a")
    await results.first().waitFor()
    const addresses = await results.evaluateAll((links) =>
      links.map((link) => link.getAttribute("href")),
    )
    expect(addresses.filter((address) => address?.startsWith("/security/cases"))).toEqual([])
  })
})

test("the colours follow the system, and the switch changes them", async () => {
  await visit(
    "/sessions",
    { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    async (page) => {
      expect(await readBackground(page)).toBe("rgb(19, 19, 23)")
      await page.getByRole("switch").first().click()
      await expect.poll(() => readBackground(page)).toBe("rgb(255, 255, 255)")
    },
  )
})

test("the first key leads to a link that skips the navigation", async () => {
  await visit("/sessions", {}, async (page) => {
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(
      /skip to content/i,
    )
    await page.keyboard.press("Enter")
    await expect.poll(() => new URL(page.url()).hash).toBe("#VPContent")
  })
})

test("without JavaScript, every page can be read and reached", async () => {
  const options = { javaScriptEnabled: false, viewport: { width: 320, height: 800 } }
  await visit("/sessions", options, async (page) => {
    expect(await page.locator("main pre").first().innerText()).toContain("strategy")
    await page.getByRole("link", { name: "All pages" }).click()
    await page.getByRole("link", { name: "MissingSecret" }).click()
    await page.getByRole("heading", { level: 1, name: "MissingSecret" }).waitFor()
  })
})

test.each([true, false])(
  "an address that leads nowhere leads on, with JavaScript: %s",
  async (javaScriptEnabled) => {
    await visit("/nowhere", { javaScriptEnabled }, async (page) => {
      await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor()
      await page.locator(".not-found").getByRole("link", { name: "All pages" }).click()
      await page.getByRole("heading", { level: 1, name: "All pages" }).waitFor()
    })
  },
)

test("the start page shows the sign-in page in the colours of the visitor", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const problems = await visit("/", { colorScheme }, async (page) => {
      const pictures = page.getByRole("img", { name: "The built-in sign-in page" })
      expect(
        await pictures.evaluateAll((images) => images.map((image) => image.className)),
      ).toEqual([`picture ${colorScheme}-only`])
    })
    expect(problems).toEqual([])
  }
})

/** Mistakes of VitePress itself: its menus and its search button. */
const ignoredRules = ["nested-interactive", "label-content-name-mismatch", "empty-table-header"]

test.each(["/", "/nowhere", "/client"])("axe finds no mistake of ours on %s", async (path) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await visit(path, { colorScheme, bypassCSP: true }, async (page) => {
      expect(await findViolations(page, ignoredRules)).toEqual([])
    })
  }
})

test("a page names the file that it was written in", async () => {
  await visit("/sessions", {}, async (page) => {
    expect(await page.locator(".page-links code").innerText()).toBe("docs/sessions.md")
  })
})

test("a code block shows the name of its file", async () => {
  await visit("/migrating-from-passport", {}, async (page) => {
    expect(await page.locator("figcaption", { hasText: /^database\.ts$/ }).count()).toBe(1)
  })
})

test("each page is also served as Markdown", async () => {
  await visit("/errors/MissingSecret", {}, async (page) => {
    await page.getByRole("link", { name: "This page as Markdown" }).click()
    await page.waitForURL("**/errors/MissingSecret.md")
    expect(await page.locator("body").innerText()).toMatch(/^# MissingSecret\n/)
  })
})
