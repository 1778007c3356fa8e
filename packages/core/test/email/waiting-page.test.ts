/** The page that waits until the link was opened in another tab, and what it asks the server. */

import type { TestBrowser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { address, createCodeApp, dropSession, enterCode } from "../support/code-app.ts"
import { credentials } from "../support/guessing-app.ts"
import { findElements } from "../support/html-parser.ts"

afterEach(() => void vi.useRealTimers())

const pageUrl = "https://app.example/auth/verify-request"
const continueUrl = `${pageUrl}?continue=true`

const readStatus = async (browser: TestBrowser) => {
  const response = await browser.open(continueUrl, { headers: { accept: "application/json" } })
  return response.json()
}

async function openApp(changes: Parameters<typeof createCodeApp>[1] = {}) {
  const app = await createCodeApp({}, changes)
  return { app, ada: app.openBrowser() }
}

describe("the page that waits", () => {
  test("learns where to go when the link was opened in another tab", async () => {
    const { app, ada } = await openApp()
    await ada.signIn("email", { email: address, callbackUrl: "/notes" })
    expect(await readStatus(ada)).toEqual({ status: "waiting" })
    await ada.open(app.sent.at(-1)?.link ?? "")
    expect(await readStatus(ada)).toEqual({
      status: "signed-in",
      url: "https://app.example/notes",
    })
  })

  test("leads there without scripts, too, and before says that nobody has signed in", async () => {
    const { app, ada } = await openApp()
    await ada.signIn("email", { email: address, callbackUrl: "/notes" })
    const html = await (await ada.open(pageUrl)).text()
    expect(findElements(html, "a").map(({ attributes }) => attributes.get("href"))).toContain(
      continueUrl,
    )
    const early = await (await ada.open(continueUrl)).text()
    expect(findElements(early, "p", { role: "status" })).toHaveLength(1)
    expect(early).toContain(address)
    await ada.open(app.sent.at(-1)?.link ?? "")
    for (const url of [continueUrl, pageUrl])
      expect((await ada.open(url)).headers.get("location")).toBe("https://app.example/notes")
  })

  test("does not go on because of a session of before", async () => {
    const { app, ada } = await openApp()
    await app.receive(ada, "bob@example.com")
    await enterCode(ada, app.sent[0]?.code ?? "", { email: "bob@example.com" })
    await app.receive(ada)
    expect(await readStatus(ada)).toEqual({ status: "waiting" })
    expect((await ada.open(continueUrl)).status).toBe(200)
  })

  test("does not go on because of a session of before when it has waited too long", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { app, ada } = await openApp()
    await app.receive(ada, "bob@example.com")
    await enterCode(ada, app.sent[0]?.code ?? "", { email: "bob@example.com" })
    await app.receive(ada)
    vi.setSystemTime(Date.now() + 901_000)
    expect(await readStatus(ada)).toEqual({ status: "expired" })
  })

  test("does not go on when the user has signed out again", async () => {
    const { app, ada } = await openApp()
    await ada.open((await app.receive(ada)).link)
    dropSession(ada)
    expect(await readStatus(ada)).toEqual({ status: "expired" })
    expect((await ada.open(pageUrl)).status).toBe(200)
  })

  test.each([
    ["when it has waited too long", {}, () => vi.setSystemTime(Date.now() + 901_000)],
    [
      "of an application, too",
      { pages: { verifyRequest: "/mail" } },
      () => vi.setSystemTime(Date.now() + 901_000),
    ],
    [
      "when the user has signed out again",
      {},
      async (ada: TestBrowser, link: URL | undefined) => {
        await ada.open(link ?? "")
        dropSession(ada)
      },
    ],
  ])("leads to the sign-in page %s", async (_, changes, end) => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { app, ada } = await openApp(changes)
    await ada.signIn("email", { email: address, callbackUrl: "/notes" })
    await end(ada, app.sent.at(-1)?.link)
    expect((await ada.open(continueUrl)).headers.get("location")).toBe(
      `https://app.example/auth/signin?${new URLSearchParams({ callbackUrl: "https://app.example/notes" })}`,
    )
  })

  test("does not go on because of the link in another browser", async () => {
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    const other = app.openBrowser()
    await other.post(link, { code, csrfToken: await other.getCsrfToken() })
    expect(await readStatus(ada)).toEqual({ status: "waiting" })
  })

  test("learns the same whether the address belongs to a user or not, and nothing elsewhere", async () => {
    const { app, ada } = await openApp()
    await ada.open((await app.receive(ada)).link)
    for (const email of [address, "eve@example.com"]) {
      const browser = app.openBrowser()
      await app.receive(browser, email)
      expect(await readStatus(browser)).toEqual({ status: "waiting" })
    }
    expect(await readStatus(app.openBrowser())).toEqual({ status: "expired" })
  })

  test("goes to the origin if the callback URL is the page itself", async () => {
    const { app, ada } = await openApp()
    await ada.signIn("email", { email: address, callbackUrl: "/auth/verify-request" })
    await ada.open(app.sent.at(-1)?.link ?? "")
    expect((await ada.open(pageUrl)).headers.get("location")).toBe("https://app.example")
  })

  test("of an application has the same answer for its script", async () => {
    const { app, ada } = await openApp({ pages: { verifyRequest: "/mail" } })
    const { link } = await app.receive(ada)
    expect(await readStatus(ada)).toEqual({ status: "waiting" })
    expect((await ada.open(continueUrl)).headers.get("location")).toContain("/mail?continue=true")
    await ada.open(link)
    expect(await readStatus(ada)).toMatchObject({ status: "signed-in" })
  })

  test("goes on after a sign-in with a password, which the visitor chose instead", async () => {
    const app = await createCodeApp({}, { session: { strategy: "jwt" } })
    Object.assign(app.config, { providers: [...app.config.providers, credentials] })
    const ada = app.openBrowser()
    await app.receive(ada)
    await ada.signIn("credentials", { email: address, password: "correct horse battery staple" })
    expect(await readStatus(ada)).toMatchObject({ status: "signed-in" })
  })
})
