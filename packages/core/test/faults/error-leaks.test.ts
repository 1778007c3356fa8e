import { createAuth } from "@latchkey/core"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { bob, createLinkingApp } from "../support/linking-app.ts"
import { openLink } from "../support/open-link.ts"

const databaseUrl = "postgres://latchkey:hunter2@db.internal.example:5432/users"

class DriverError extends Error {
  override name = "DriverError"
  code = "28P01"
  query = "select * from users where email = 'ada@example.com' -- hunter2"
  parameters = ["hunter2"]
  connectionString = databaseUrl
}

function createDriverError(): Error {
  return new DriverError(`password authentication failed: ${databaseUrl}`, {
    cause: new Error(`ENOTFOUND ${databaseUrl}`),
  })
}

/** Requests every page and action, and returns all headers and bodies of the responses. */
async function readEverything(browser: TestBrowser): Promise<string> {
  const link = `/auth/callback/nodemailer?token=${"0".repeat(64)}&email=ada@example.com`
  const requests = [
    () => browser.fetch("/auth/session"),
    () => browser.fetch("/auth/providers"),
    () => browser.open("/auth/signin"),
    () => browser.open("/auth/signout"),
    () => browser.open(link),
    () => openLink(browser, link),
    async () =>
      browser.post("/auth/signin/nodemailer", {
        csrfToken: await browser.getCsrfToken(),
        email: "ada@example.com",
      }),
    () => browser.signOut(),
    () => browser.updateSession({ name: "Ada" }),
  ]
  let seen = ""
  for (const request of requests) {
    const response = await request()
    const pages = [response]
    if (response.status === 302) pages.push(await browser.followRedirect(response))
    for (const page of pages) seen += [...page.headers].join() + (await page.text())
  }
  return seen
}

describe("the message of a failing database", () => {
  test("is in no response, and is logged without the password", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    await ada.open(await app.receiveLink(ada))
    app.failAllMethods(createDriverError())
    app.calls.splice(0)
    const seen = await readEverything(ada)
    expect(app.calls).toEqual(
      expect.arrayContaining([
        "getSessionAndUser",
        "getUserByEmail",
        "useVerificationToken",
        "deleteSession",
      ]),
    )
    for (const word of [
      "postgres:",
      "hunter2",
      "db.internal",
      "DriverError",
      "28P01",
      "select *",
    ]) {
      expect(seen).not.toContain(word)
    }
    const log = app.log.toText()
    expect(log).toContain("password authentication failed")
    expect(log).toContain("db.internal.example")
    expect(log).toContain("28P01")
    expect(log).toContain("ENOTFOUND")
    expect(log).not.toContain("hunter2")
  })

  test("is in no response of a sign-in with a provider", async () => {
    const app = await createLinkingApp()
    app.club.setUser(bob)
    for (const method of [
      "getUserByAccount",
      "createUser",
      "linkAccount",
      "createSession",
    ] as const) {
      app.failMethod(method, { error: createDriverError() })
      const browser = app.openBrowser()
      const response = await browser.signIn(app.club)
      const page = await browser.followRedirect(response)
      const seen = [...response.headers, ...page.headers].join() + (await page.text())
      expect(seen).not.toMatch(/postgres|hunter2|db\.internal|DriverError/)
    }
    expect(app.log.toText()).not.toContain("hunter2")
  })

  test("is a typed error for application code that reads the session", async () => {
    const app = await createEmailApp()
    const ada = app.openBrowser()
    await ada.open(await app.receiveLink(ada))
    app.failAllMethods(createDriverError())
    const cookie = [...ada.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const asked = createAuth(app.config).getSession({
      headers: new Headers({ cookie }),
      url: "https://app.example/",
    })
    await expect(asked).rejects.toMatchObject({ type: "SessionTokenError" })
  })
})
