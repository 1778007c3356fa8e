/**
 * Where visitors got stuck, in Chromium with every framework: each failure has a way on. Without scripts, the pages of
 * the core are the same in each framework, so one is enough.
 */
import { join } from "node:path"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { BrowserContext, Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openTestBrowser } from "../../../demo/test/support/browser.ts"
import type { ApplicationFixture } from "../application-fixture.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

/** The page that shows the session. */
const sessionPath = "/probe/session"
const userName = "Ada Lovelace"

export function testDeadEnds(
  { application, chromium }: ApplicationSuite,
  fixture: () => ApplicationFixture,
): void {
  describe("dead ends", () => {
    countSuiteSeconds("dead ends")
    const modes = application.framework === "express" ? [true, false] : [true]
    describe.each(modes)("with scripts: %s", (hasScripts) => {
      let context: BrowserContext
      let page: Page
      /** The URLs to which the provider has sent the browser. */
      let responses: string[]

      beforeEach(async ({ onTestFailed }) => {
        const before = fixture().output().length
        onTestFailed(() => console.error(fixture().output().slice(before)))
        ;({ context, page } = await openTestBrowser(chromium(), fixture().origin, hasScripts))
        context.setDefaultTimeout(30_000)
        responses = []
        context.on("request", (request) => {
          if (request.url().includes("/callback/socialidp?")) responses.push(request.url())
        })
      })
      afterEach(async () => {
        fixture().social.clearFaults()
        await context.close()
      })

      const open = (action: string) =>
        page.goto(`${fixture().basePath}${action}?callbackUrl=${sessionPath}`)
      const press = (name: string) => page.getByRole("button", { name }).click()
      const findHeading = (name: string) => page.getByRole("heading", { name }).waitFor()
      const findSession = async (path = sessionPath) => {
        await page.waitForURL(path)
        await page.getByText(userName).waitFor()
      }
      const signIn = async () => {
        await open("/signin")
        await press("Sign in with Plaza")
        await findSession()
      }
      const decline = () =>
        fixture().social.overrideEndpoint("authorize", ({ url }) =>
          createRedirect(fixture().social.deny(url).url),
        )

      test("a sign-in that was completed before leads a signed-in visitor on", async () => {
        await signIn()
        await page.goto(responses[0] ?? "")
        await findSession()
      })

      test("a sign-in whose cookies were deleted starts again", async () => {
        await signIn()
        await context.clearCookies()
        await open("/signin")
        const response = await page.goto(responses[0] ?? "")
        expect(response?.status()).toBe(400)
        await findHeading("This sign-in has expired")
        await press("Sign in with Plaza")
        await findSession()
      })

      test("a visitor who declines at the provider can sign in another way", async () => {
        decline()
        await open("/signin")
        await press("Sign in with Plaza")
        await page.getByText("The sign-in was not completed.").waitFor()
        expect(new URL(page.url()).pathname).toBe(`${fixture().basePath}/signin`)
        fixture().social.clearFaults()
        await press("Sign in with Plaza")
        await findSession()
      })

      test("a visitor who declines to add an account returns to the page that asked", async () => {
        await signIn()
        decline()
        await submitLinkForm(page, fixture())
        await findSession(`${sessionPath}?error=OAuthCallbackError`)
      })

      test("a provider that does not respond can be tried again", async () => {
        fixture().social.overrideEndpoint("token", "network-error")
        await open("/signin")
        await press("Sign in with Plaza")
        await findHeading("Sign-in is unavailable")
        fixture().social.clearFaults()
        await press("Try again")
        await findSession()
      })

      test("a database that fails keeps the visitor signed in, and can be tried again", async () => {
        await signIn()
        await open("/signout")
        const startDatabase = stopDatabase(fixture())
        await press("Sign out")
        await findHeading("You are still signed in")
        startDatabase()
        await press("Try again")
        await page.waitForURL(sessionPath)
        await page.getByText('{"session":null}').waitFor()
      })

      test("a database that fails during a sign-in can be tried again", async () => {
        let startDatabase = () => {}
        fixture().social.overrideEndpoint("token", () => {
          startDatabase = stopDatabase(fixture())
          return undefined
        })
        await open("/signin")
        await press("Sign in with Plaza")
        await findHeading("Sign-in is unavailable")
        fixture().social.clearFaults()
        startDatabase()
        await press("Try again")
        await findSession()
      })

      test("the base path leads to the sign-in page, and signed-in visitors on", async () => {
        await page.goto(fixture().basePath)
        await page.waitForURL(`${fixture().basePath}/signin`)
        await signIn()
        await page.goto(fixture().basePath)
        await findSession()
      })

      test("an unknown path has a page that leads on", async () => {
        const response = await page.goto(`${fixture().basePath}/nowhere`)
        expect(response?.status()).toBe(404)
        await page
          .getByText(/not found/i)
          .first()
          .waitFor()
        // SvelteKit shows the error page of the application, below the links of its header.
        await page.getByRole("link").first().click()
        await page.waitForURL("/")
      })

      test("signing out asks nobody who is signed out", async () => {
        await open("/signout")
        await page.waitForURL(sessionPath)
      })
    })
  })
}

function createRedirect(url: URL): Response {
  return new Response(null, { status: 302, headers: { location: url.href } })
}

/** Adds the provider's account to the user's, with a form on the current page. */
async function submitLinkForm(page: Page, { basePath, social }: ApplicationFixture): Promise<void> {
  const { csrfToken } = await (await page.request.get(`${basePath}/csrf`)).json()
  const fields = { csrfToken, link: "true", callbackUrl: sessionPath }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const form = `<form method="post" action="${basePath}/signin/${social.id}">${inputs.join("")}<button>Add</button></form>`
  await page.evaluate((html) => document.body.insertAdjacentHTML("beforeend", html), form)
  await page.getByRole("button", { name: "Add" }).click()
}

/** Makes each query of the application fail. Returns a function that ends this. */
function stopDatabase({ temporaryFolder }: ApplicationFixture): () => void {
  const database = openSqlite(join(temporaryFolder, "probe.db"), { busyTimeout: 30_000 })
  const rename = (from: string, to: string) =>
    database.exec(`alter table "${from}" rename to "${to}"`)
  const tables = ["User", "Account", "Session"]
  for (const table of tables) rename(table, `Stopped${table}`)
  return () => {
    for (const table of tables) rename(`Stopped${table}`, table)
    database.close()
  }
}
