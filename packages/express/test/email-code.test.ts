/** Signing in with the code of an e-mail, in a route of the application. */
import { Verification } from "@latchkey/core/errors"
import { MiddlewareAuth, signIn } from "@latchkey/express"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import type { RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { changeCode, createCodeConfig } from "./support/code-config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

const email = "ada@example.com"
const getAddress = async (browser: TestBrowser) => (await browser.getSession())?.user?.email

describe.each(expressVersions)("Express $major", ({ express }) => {
  async function openApplication() {
    const { config, codes } = await createCodeConfig()
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use(express.urlencoded({ extended: false }))
    const handleSignIn: RequestHandler = (req, res, next) => {
      signIn(req, config, "email", { fields: req.body }).then(
        (url) => res.redirect(303, url),
        (error) => {
          if (!(error instanceof Verification)) return next(error)
          const { codeProblem, attemptsLeft } = error
          res.status(400).json({ codeProblem, attemptsLeft })
        },
      )
    }
    app.post("/signin", handleSignIn)
    const origin = await serve(app)
    return { codes, openBrowser: () => createTestBrowser(origin) }
  }

  test("leads to where the request wanted to go", async () => {
    const { codes, openBrowser } = await openApplication()
    const ada = openBrowser()
    const sent = await ada.post("/signin", { email, redirectTo: "/members" })
    expect(sent.headers.get("location")).toMatch(/\/auth\/verify-request\?/)
    const response = await ada.post("/signin", { email, code: codes[0] ?? "" })
    expect(response.headers.get("location")).toBe(`${ada.origin}/members`)
    expect(await getAddress(ada)).toBe(email)
  })

  test("needs no address, and may lead elsewhere", async () => {
    const { codes, openBrowser } = await openApplication()
    const ada = openBrowser()
    await ada.post("/signin", { email, redirectTo: "/members" })
    const response = await ada.post("/signin", { code: codes[0] ?? "", redirectTo: "/inbox" })
    expect(response.headers.get("location")).toBe(`${ada.origin}/inbox`)
    expect(await getAddress(ada)).toBe(email)
  })

  test("throws why a code is refused", async () => {
    const { codes, openBrowser } = await openApplication()
    const ada = openBrowser()
    await ada.post("/signin", { email })
    const wrong = await ada.post("/signin", { code: changeCode(codes[0]) })
    expect(await wrong.json()).toEqual({ codeProblem: "incorrect", attemptsLeft: 4 })
    const empty = await ada.post("/signin", { code: "" })
    expect(await empty.json()).toEqual({ codeProblem: "missing" })
    const elsewhere = await openBrowser().post("/signin", { email, code: codes[0] ?? "" })
    expect(await elsewhere.json()).toEqual({ codeProblem: "invalid" })
    await ada.post("/signin", { code: codes[0] ?? "" })
    expect(await getAddress(ada)).toBe(email)
  })

  test("is refused in a form of another site", async () => {
    const { codes, openBrowser } = await openApplication()
    const ada = openBrowser()
    await ada.post("/signin", { email })
    const from = "https://evil.example"
    const response = await ada.post("/signin", { email, code: codes[0] ?? "" }, { from })
    expect(response.status).toBe(403)
    expect(await getAddress(ada)).toBeUndefined()
  })
})
