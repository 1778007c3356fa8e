/** Every example as people use it, in Chromium: the same steps for all, with scripts and without. */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launch, type Person, person, tabTo } from "../../../demo/test/support/browser.ts"
import { applications, foldersOf } from "../catalogue.ts"
import { isSkipped } from "../chosen.ts"
import { layered } from "../files.ts"
import { type OpenExample, openExample } from "../open-example.ts"
import { freePort } from "../server.ts"

const password = "correct horse battery staple"
const pictures = "node_modules/.cache/applications/screenshots"

let chromium: Browser

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true })
  chromium = await launch()
})
afterAll(() => chromium?.close())

for (const [index, application] of applications.entries()) {
  describe.skipIf(isSkipped(application))(application.title, () => {
    let example: OpenExample

    beforeAll(async () => {
      example = await openExample(application, await freePort(24_200 + index))
    })
    afterAll(() => example?.[Symbol.asyncDispose]())

    test("has the stylesheet of all examples", () => {
      const files = layered(foldersOf(application))
      const [own = ""] = [...files].flatMap(([path, source]) =>
        path.endsWith(".css") ? source : [],
      )
      expect(readFileSync(own, "utf8")).toBe(readFileSync("examples/shared/style.css", "utf8"))
    })

    describe.each([true, false])("with scripts: %s", (hasScripts) => {
      const visit = () => person(chromium, example.origin, hasScripts)
      const picture = (page: Page, name: string) => {
        const file = `${application.name}-${hasScripts ? "scripts" : "plain"}-${name}.png`
        return page.screenshot({ path: join(pictures, file), fullPage: true })
      }

      test("strangers are led to the sign-in page, and from there back", async () => {
        const ann = await visit()
        await ann.page.goto("/", { waitUntil: "networkidle" })
        await seesPage(ann.page)
        await ann.page.getByText("You are signed out.").waitFor()
        await picture(ann.page, "home")
        await ann.page.getByRole("link", { name: "Members only" }).click()
        await heading(ann.page, "Sign in").waitFor()
        await seesPage(ann.page)
        await picture(ann.page, "sign-in")
        await ann.page.emulateMedia({ colorScheme: "dark" })
        await picture(ann.page, "sign-in-dark")
        await submitPassword(ann.page, password)
        await heading(ann.page, "Members only").waitFor()
        expect(new URL(ann.page.url()).pathname).toBe("/members")
        await ann.page.getByRole("button", { name: "Sign out" }).waitFor()
        await seesPage(ann.page)
        await picture(ann.page, "members")
        await ann.leave()
      })

      test("a wrong password is told, and the right one helps", async () => {
        const ann = await visit()
        await ann.page.goto("/signin?callbackUrl=/members", { waitUntil: "networkidle" })
        await submitPassword(ann.page, "wrong")
        const alert = ann.page.getByRole("alert")
        await alert.waitFor()
        expect((await alert.textContent())?.trim()).toBe(
          "That e-mail address and password do not match.",
        )
        await picture(ann.page, "wrong-password")
        await submitPassword(ann.page, password)
        await heading(ann.page, "Members only").waitFor()
        await leaveAfterRefusal(ann)
      })

      test("the account page changes the name, and signs out", async () => {
        const ann = await visit()
        await ann.page.goto("/account", { waitUntil: "networkidle" })
        await heading(ann.page, "Sign in").waitFor()
        await submitPassword(ann.page, password)
        await heading(ann.page, "Account").waitFor()
        await ann.page.getByRole("definition").getByText("ann@example.com").waitFor()
        await picture(ann.page, "account")
        await ann.page.getByLabel("Display name").fill("Annie <b>")
        await ann.page.getByRole("button", { name: "Save" }).click()
        await ann.page.getByRole("definition").getByText("Annie <b>").waitFor()
        await ann.page.getByRole("banner").getByText("Annie <b>").waitFor()
        await fitsSmallScreens(ann.page)
        await picture(ann.page, "account-narrow")
        await ann.page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
        await ann.page.getByText("You are signed out.").waitFor()
        await ann.page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor()
        await ann.page.goto("/members")
        await heading(ann.page, "Sign in").waitFor()
        await ann.leave()
      })

      test("Alder ID signs in", async () => {
        const ada = await visit()
        await ada.page.goto("/members", { waitUntil: "networkidle" })
        await ada.page.getByRole("button", { name: "Continue with Alder ID" }).click()
        await ada.page.getByRole("button", { name: "Ada Lindqvist" }).click()
        await heading(ada.page, "Members only").waitFor()
        await ada.page.getByRole("banner").getByText("Ada Lindqvist").waitFor()
        await ada.page.getByRole("banner").getByRole("link", { name: "Account" }).click()
        await ada.page.getByRole("definition").getByText("ada@riverside.example").waitFor()
        await ada.page.goto("/")
        await ada.page.getByText("Signed in as Ada Lindqvist.").waitFor()
        await picture(ada.page, "home-signed-in")
        await ada.leave()
      })

      test("the keyboard is enough", async () => {
        const ann = await visit()
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
        await ann.leave()
      })
    })

    test("another site cannot sign somebody in", async () => {
      const victim = await person(chromium, example.origin, false)
      const { page } = victim
      await page.goto("/signin")
      await page.getByLabel("E-mail").fill("ann@example.com")
      await page.getByLabel("Password").fill(password)
      const form = await page.getByLabel("Password").evaluate(copyOfForm)
      await page.route("http://evil.example/", (route) =>
        route.fulfill({ contentType: "text/html", body: form }),
      )
      await page.goto("http://evil.example/")
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.waitForURL((url) => url.hostname === "localhost")
      await page.goto(example.origin)
      await page.getByText("You are signed out.").waitFor()
      await victim.context.close()
    })

    test("while somebody works on it", { timeout: 120_000 }, async () => {
      await example[Symbol.asyncDispose]()
      const port = await freePort(24_300 + index)
      await using development = await openExample(application, port, "development")
      const ann = await person(chromium, development.origin)
      await warmUp(ann.page)
      await ann.page.goto("/members", { waitUntil: "networkidle" })
      await submitPassword(ann.page, password)
      await heading(ann.page, "Members only").waitFor()
      await ann.page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
      await ann.page.getByText("You are signed out.").waitFor()
      await ann.context.close()
      expect(ann.problems.filter((problem) => problem.startsWith("error:"))).toEqual([])
    })
  })
}

/** The first pages make a development server look for dependencies, after which it loads them again. */
async function warmUp(page: Page): Promise<void> {
  page.setDefaultTimeout(30_000)
  for (const path of ["/", "/signin", "/"]) {
    await page.goto(path, { waitUntil: "networkidle" })
    await page.waitForTimeout(1000)
  }
}

/** The form around a field as another site would write it, filled in. */
function copyOfForm(field: Element): string {
  const form = field.closest("form")
  if (!form) return ""
  const copy = form.cloneNode(true) as HTMLFormElement
  copy.action = form.action
  for (const input of copy.querySelectorAll("input")) input.setAttribute("value", input.value)
  return copy.outerHTML
}

function heading(page: Page, name: string) {
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

/** What every page has: a language, a title of its own, one heading, the way home. */
async function seesPage(page: Page): Promise<void> {
  expect(await page.locator("html").getAttribute("lang")).toBe("en")
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1)
  const title = await page.getByRole("heading", { level: 1 }).textContent()
  await expect.poll(() => page.title()).toContain(title?.trim())
  const home = page.getByRole("banner").getByRole("link", { name: /^Latchkey \+ / })
  expect(await home.getAttribute("href")).toBe("/")
}

async function fitsSmallScreens(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320)
}

/** As `leave`; but browsers note in their console that a form was answered with 4xx. */
async function leaveAfterRefusal({ context, problems }: Person): Promise<void> {
  await context.close()
  const others = problems.filter((problem) => !/status of 4\d\d/.test(problem))
  expect(others).toEqual([])
}
