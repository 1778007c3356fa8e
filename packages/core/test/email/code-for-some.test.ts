/** Functions that send nothing to some addresses, such as unknown ones. */
import { expect, test } from "vitest"
import {
  address,
  type CodeApp,
  changeCode,
  createCodeApp,
  enterCode,
  enterCodeForLink,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"

/** Sends to one address only. */
async function createSelectiveApp() {
  const emails: { link: URL; code: string }[] = []
  const app = await createCodeApp({
    sendsCode: true,
    async sendVerificationRequest(request) {
      if (request.identifier === address)
        emails.push({ link: new URL(request.url), code: request.code ?? "" })
    },
  })
  return { app, emails }
}

async function describeRequest(app: CodeApp, email: string, code: string) {
  const browser = app.openBrowser()
  await browser.signIn("email", { email })
  const page = await (await browser.open("/auth/verify-request")).text()
  const problem = getCodeProblem(await enterCode(browser, code, { email }))
  return { asksForCode: page.includes('name="code"'), problem }
}

test("an address to which nothing is sent gets the same pages as one with an e-mail", async () => {
  const { app, emails } = await createSelectiveApp()
  await app.openBrowser().signIn("email", { email: address })
  const unknown = await describeRequest(app, "bob@example.com", "123456")
  const browser = app.openBrowser()
  await browser.signIn("email", { email: address })
  const page = await (await browser.open("/auth/verify-request")).text()
  const problem = getCodeProblem(await enterCode(browser, changeCode(emails.at(-1)?.code ?? "")))
  expect(unknown).toEqual({ asksForCode: page.includes('name="code"'), problem })
  expect(unknown).toEqual({
    asksForCode: true,
    problem: { error: "Verification", reason: "incorrect", attempts: "4" },
  })
})

test("an e-mail that was not sent does not keep others from their code in another browser", async () => {
  const { app, emails } = await createSelectiveApp()
  await app.openBrowser().signIn("email", { email: address })
  await app.openBrowser().signIn("email", { email: "bob@example.com" })
  const { link, code } = emails[0] ?? {}
  if (!link || !code) throw new Error("No e-mail was sent")
  const other = app.openBrowser()
  expect(await (await other.open(link)).text()).toContain('name="code"')
  await enterCodeForLink(other, link, code)
  expect(await getAddress(other)).toBe(address)
})
