/** Tests every example in Chromium: the same steps for all, with and without JavaScript. */
import type { Browser, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openTestBrowser, type TestBrowser, tabTo } from "../../../demo/test/support/browser.ts"
import { collectExampleFiles } from "../build-application.ts"
import { type RunningExample, startExample } from "../running-example.ts"
import {
  type ApplicationSuite,
  countSuiteSeconds,
  listScriptModes,
  takeScreenshot,
} from "./suite.ts"

const password = "correct horse battery staple"

export function testPages(
  { application, chromium, runsAll }: ApplicationSuite,
  example: () => RunningExample,
): void {
  describe("pages", () => {
    countSuiteSeconds("pages")
    test("has only the style sheet of all examples", () => {
      const sources = [...collectExampleFiles(application).values()]
      expect(sources.filter((source) => source.endsWith(".css"))).toEqual([
        "examples/shared/style.css",
      ])
    })

    test.runIf(["express", "hono"].includes(application.framework))(
      "a mistake of a visitor is no failure of the server",
      async () => {
        const submit = async (fields: string, origin: string) => {
          const body = new URLSearchParams(`providerId=credentials&${fields}`)
          const init = { method: "POST", body, headers: { origin }, redirect: "manual" } as const
          return (await fetch(`${example().origin}/signin`, init)).status
        }
        const signIn = "email=ann@example.com&password=wrong"
        expect(await submit(signIn, example().origin)).toBe(400)
        expect(await submit(`${signIn}&password=twice`, example().origin)).toBe(400)
        expect(await submit(signIn, "https://evil.example")).toBe(403)
      },
    )

    const scriptModes = listScriptModes(application)
    describe.each(scriptModes)("with scripts: %s", (hasScripts) => {
      const openBrowser = () => openTestBrowser(chromium(), example().origin, hasScripts)
      const takePicture = (page: Page, name: string) =>
        takeScreenshot(page, `${application.name}-${hasScripts ? "scripts" : "plain"}-${name}`)

      test.runIf(runsAll || hasScripts === scriptModes[0])(
        "visitors are redirected to the sign-in page and back",
        async () => {
          const ann = await openBrowser()
          await ann.page.goto("/", { waitUntil: "networkidle" })
          await expectPageStructure(ann.page)
          await ann.page.getByText("You are signed out.").waitFor()
          await takePicture(ann.page, "home")
          await ann.page.getByRole("link", { name: "Members only" }).click()
          await headingLocator(ann.page, "Sign in").waitFor()
          await expectPageStructure(ann.page)
          await takePicture(ann.page, "sign-in")
          await ann.page.emulateMedia({ colorScheme: "dark" })
          await takePicture(ann.page, "sign-in-dark")
          await submitPassword(ann.page, password)
          await headingLocator(ann.page, "Members only").waitFor()
          expect(new URL(ann.page.url()).pathname).toBe("/members")
          await ann.page.getByRole("button", { name: "Sign out" }).waitFor()
          await expectPageStructure(ann.page)
          await takePicture(ann.page, "members")
          await ann.closeAndVerify()
        },
      )

      test("a wrong password shows an error, and the right one signs in", async () => {
        const ann = await openBrowser()
        await ann.page.goto("/signin?callbackUrl=/members", { waitUntil: "networkidle" })
        await submitPassword(ann.page, "wrong")
        const alert = ann.page.getByRole("main").getByRole("alert")
        await alert.waitFor()
        expect((await alert.textContent())?.trim()).toBe(
          "That e-mail address and password do not match.",
        )
        await takePicture(ann.page, "wrong-password")
        await submitPassword(ann.page, password)
        await headingLocator(ann.page, "Members only").waitFor()
        await closeAfterRejection(ann)
      })

      test("the account page changes the name and signs out", async () => {
        const ann = await openBrowser()
        await ann.page.goto("/account", { waitUntil: "networkidle" })
        await headingLocator(ann.page, "Sign in").waitFor()
        await submitPassword(ann.page, password)
        await headingLocator(ann.page, "Account").waitFor()
        await ann.page.getByRole("definition").getByText("ann@example.com").waitFor()
        await takePicture(ann.page, "account")
        await ann.page.getByLabel("Display name").fill("Annie <b>")
        await ann.page.getByRole("button", { name: "Save" }).click()
        await ann.page.getByRole("definition").getByText("Annie <b>").waitFor()
        await ann.page.getByRole("banner").getByText("Annie <b>").waitFor()
        await expectNoHorizontalScroll(ann.page)
        await takePicture(ann.page, "account-narrow")
        await ann.page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
        await ann.page.getByText("You are signed out.").waitFor()
        await ann.page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
        await ann.page.goto("/members")
        await headingLocator(ann.page, "Sign in").waitFor()
        await ann.closeAndVerify()
      })

      test.runIf(runsAll || hasScripts === scriptModes[0])("Alder ID signs in", async () => {
        const ada = await openBrowser()
        await ada.page.goto("/members", { waitUntil: "networkidle" })
        await ada.page.getByRole("button", { name: "Continue with Alder ID" }).click()
        await ada.page.getByRole("button", { name: "Ada Lindqvist" }).click()
        await headingLocator(ada.page, "Members only").waitFor()
        await ada.page.getByRole("banner").getByText("Ada Lindqvist").waitFor()
        await ada.page.getByRole("banner").getByRole("link", { name: "Account" }).click()
        await ada.page.getByRole("definition").getByText("ada@riverside.example").waitFor()
        await ada.page.goto("/")
        await ada.page.getByText("Signed in as Ada Lindqvist.").waitFor()
        await takePicture(ada.page, "home-signed-in")
        await ada.closeAndVerify()
      })

      test.runIf(runsAll)(
        "declining at Alder ID leads to the sign-in page, and a password to the destination",
        async () => {
          const ann = await openBrowser()
          await ann.page.goto("/members", { waitUntil: "networkidle" })
          await ann.page.getByRole("button", { name: "Continue with Alder ID" }).click()
          await ann.page.getByRole("button", { name: "Cancel and go back" }).click()
          await ann.page
            .getByRole("main")
            .getByRole("alert")
            .getByText("Sign-in failed. Please try again.")
            .waitFor()
          await ann.page.waitForLoadState("networkidle")
          await submitPassword(ann.page, password)
          await headingLocator(ann.page, "Members only").waitFor()
          await ann.closeAndVerify()
        },
      )

      test.runIf(runsAll)("the keyboard alone is sufficient", async () => {
        const ann = await openBrowser()
        await ann.page.goto("/signin", { waitUntil: "networkidle" })
        await tabTo(ann.page, "E-mail")
        await ann.page.keyboard.type("ann@example.com")
        await tabTo(ann.page, "Password")
        await ann.page.keyboard.type(password)
        await ann.page.keyboard.press("Enter")
        await ann.page.getByText("Signed in as").waitFor()
        await tabTo(ann.page, "Sign out")
        await ann.page.keyboard.press("Enter")
        await ann.page.getByText("You are signed out.").waitFor()
        await ann.closeAndVerify()
      })
    })

    test.runIf(runsAll)("another site cannot sign users in", async () => {
      const victim = await openTestBrowser(chromium(), example().origin, false)
      const { page } = victim
      await page.goto("/signin")
      await page.getByLabel("E-mail").fill("ann@example.com")
      await page.getByLabel("Password").fill(password)
      const form = await page.getByLabel("Password").evaluate(copyForm)
      await page.route("http://evil.example/", (route) =>
        route.fulfill({ contentType: "text/html", body: form }),
      )
      await page.goto("http://evil.example/")
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.waitForURL((url) => url.hostname === "localhost")
      await page.goto(example().origin)
      await page.getByText("You are signed out.").waitFor()
      await victim.context.close()
    })
  })
}

/** Tests the example with the development server of its framework. */
export function testDevelopmentMode({ application, chromium, port }: ApplicationSuite): void {
  describe("development", () => {
    countSuiteSeconds("development")

    test("works in development mode", { timeout: 300_000 }, async () => {
      await using developmentExample = await startExample(application, port(), "development", {
        DATABASE_URL: "file:app.db",
      })
      await warmUpServer(chromium(), developmentExample.origin)
      const ann = await openTestBrowser(chromium(), developmentExample.origin)
      ann.page.setDefaultTimeout(30_000)
      await ann.page.goto("/members", { waitUntil: "networkidle" })
      await submitPassword(ann.page, password)
      await headingLocator(ann.page, "Members only").waitFor()
      await ann.page.goto("/account/sessions", { waitUntil: "networkidle" })
      await ann.page.getByText("This session").waitFor()
      await ann.page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
      await ann.page.getByText("You are signed out.").waitFor()
      await ann.context.close()
      expect(ann.pageErrors.filter((problem) => problem.startsWith("error:"))).toEqual([])
    })
  })
}

/**
 * Loads the first pages, after which a development server reloads because of discovered dependencies. That of Next.js compiles
 * each page when it is first requested. Pages that load meanwhile may fail.
 */
async function warmUpServer(chromium: Browser, origin: string): Promise<void> {
  const { page, context } = await openTestBrowser(chromium, origin)
  for (const path of ["/", "/signin", "/"]) {
    await page.goto(path, { waitUntil: "networkidle", timeout: 90_000 })
    await page.waitForTimeout(1000)
  }
  await context.close()
}

/** Fills in a copy of a form on another site. */
function copyForm(field: Element): string {
  const form = field.closest("form")
  if (!form) return ""
  const copy = form.cloneNode(true) as HTMLFormElement
  copy.action = form.action
  for (const input of copy.querySelectorAll("input")) input.setAttribute("value", input.value)
  return copy.outerHTML
}

function headingLocator(page: Page, name: string) {
  return page.getByRole("heading", { level: 1, name, exact: true })
}

async function submitPassword(page: Page, text: string): Promise<void> {
  const email = page.getByLabel("E-mail")
  expect(await email.getAttribute("autocomplete")).toBe("username")
  await email.fill("ann@example.com")
  const field = page.getByLabel("Password")
  expect(await field.getAttribute("autocomplete")).toBe("current-password")
  await field.fill(text)
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click()
}

/** Asserts a language, a title, one heading, and a link to the home page. */
async function expectPageStructure(page: Page): Promise<void> {
  expect(await page.locator("html").getAttribute("lang")).toBe("en")
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1)
  const title = await page.getByRole("heading", { level: 1 }).textContent()
  await expect.poll(() => page.title()).toContain(title?.trim())
  const home = page.getByRole("banner").getByRole("link", { name: /^Latchkey \+ / })
  expect(await home.getAttribute("href")).toBe("/")
}

async function expectNoHorizontalScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320)
}

/** Like `leave`, but accepts the browser's console message about a response with status 4xx. */
async function closeAfterRejection({ context, pageErrors }: TestBrowser): Promise<void> {
  await context.close()
  const others = pageErrors.filter((problem) => !/status of 4\d\d/.test(problem))
  expect(others).toEqual([])
}
