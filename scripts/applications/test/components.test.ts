/** The components and the client of `@latchkey/sveltekit`, on a prerendered page, with scripts and without. */
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launch, type Person, person } from "../../../demo/test/support/browser.ts"
import { applications } from "../catalogue.ts"
import { isSkipped } from "../chosen.ts"
import { openScene, type Scene } from "../scene.ts"
import { freePort } from "../server.ts"

let chromium: Browser

beforeAll(async () => {
  chromium = await launch()
})
afterAll(() => chromium?.close())

for (const [index, application] of applications.entries()) {
  if (application.framework !== "sveltekit") continue
  describe.skipIf(isSkipped(application))(application.title, () => {
    let scene: Scene

    beforeAll(async () => {
      scene = await openScene(application, "plain", await freePort(24_100 + index))
    })
    afterAll(() => scene?.[Symbol.asyncDispose]())

    describe.each([true, false])("with scripts: %s", (hasScripts) => {
      test("a form signs in with a password, another one out", async () => {
        const ann = await person(chromium, scene.origin, hasScripts)
        await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
        await ann.page.getByLabel("Address").fill("ann@example.com")
        await ann.page.getByRole("button", { name: "By snippet", exact: true }).click()
        await ann.page.waitForURL("/probe/session")
        expect(await ann.page.textContent("body")).toContain('"name":"Ann"')
        await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
        await ann.page.getByRole("button", { name: "Leave by snippet" }).click()
        await ann.page.waitForURL("/probe/session")
        expect(await ann.page.textContent("body")).toContain('"session":null')
        await leave(ann)
      })

      test("a form leads to the provider, with the parameters of the page", async () => {
        const ada = await person(chromium, scene.origin, hasScripts)
        const asked: URL[] = []
        ada.page.on("request", (request) => asked.push(new URL(request.url())))
        await ada.page.goto("/probe/components", { waitUntil: "networkidle" })
        await ada.page.getByRole("button", { name: "By slot", exact: true }).click()
        await ada.page.getByRole("button", { name: "Ada Lindqvist" }).waitFor()
        const authorization = asked.find(({ pathname }) => pathname === "/oauth2/authorize")
        expect(authorization?.searchParams.get("prompt")).toBe("login")
        await ada.context.close()
      })

      test("a form without a provider leads to the sign-in page", async () => {
        const somebody = await person(chromium, scene.origin, hasScripts)
        await somebody.page.goto("/probe/components", { waitUntil: "networkidle" })
        await somebody.page.getByRole("button", { name: "Sign in", exact: true }).click()
        await somebody.page.waitForURL(/\/signin(\?|$)/)
        await leave(somebody)
      })
    })

    test("the client signs in and out without leaving the page", async () => {
      const ann = await person(chromium, scene.origin)
      await ann.page.goto("/probe/components", { waitUntil: "networkidle" })
      await ann.page.getByRole("button", { name: "Client in" }).click()
      await ann.page.getByText('"ok":true').waitFor()
      expect((await scene.read(await likeIn(ann, scene))) as object).toMatchObject({
        user: { name: "Ann" },
      })
      await ann.page.getByRole("button", { name: "Client out" }).click()
      await expect.poll(async () => scene.read(await likeIn(ann, scene))).toBeNull()
      await ann.leave()
    })
  })
}

/** A visitor with the cookies that somebody has in Chromium. */
async function likeIn({ context }: Person, { visitor, origin }: Scene) {
  const same = visitor()
  for (const { name, value } of await context.cookies()) {
    same.cookies.plant(origin, `${name}=${value}; Path=/`)
  }
  return same
}

/** As `leave`; but SvelteKit notes in the console that a form led to what is no page of its router. */
async function leave({ context, problems }: Person): Promise<void> {
  await context.close()
  expect(problems.filter((problem) => !/ Not found: \/|status of 404/.test(problem))).toEqual([])
}
