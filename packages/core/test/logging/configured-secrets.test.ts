import { createAuth } from "@latchkey/core"
import { expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { createPasswordApp, readSessionCookie } from "../support/password-app.ts"
import { createTestApp } from "../support/test-app.ts"

const clientSecret = "short-one"
const providerWithSecrets = {
  id: "work",
  name: "Work",
  type: "oauth" as const,
  clientId: "app",
  clientSecret,
  authorization: "https://idp.example/authorize",
  token: "https://idp.example/token",
  userinfo: "https://idp.example/userinfo",
}

test("a configured secret is redacted from the message of an error", async () => {
  const secret = "plain words with spaces, thirty-two and more"
  const app = createTestApp({
    secret: [secret],
    providers: [providerWithSecrets],
    callbacks: {
      redirect: () => {
        throw new Error(`wrong: ${secret} and ${clientSecret}`)
      },
    },
  })
  await app.openBrowser().open("/auth/signin?callbackUrl=/x")
  expect(app.log.toText()).toContain("wrong: ")
  expect(app.log.toText()).not.toContain(secret)
  expect(app.log.toText()).not.toContain(clientSecret)
})

test("a configured secret is redacted from the error that the application receives", async () => {
  const secret = "plain words with spaces, thirty-two and more"
  let isBroken = false
  const app = createPasswordApp({
    secret: [secret],
    callbacks: {
      session({ session }) {
        if (isBroken) throw new Error(`wrong: ${secret}`)
        return session
      },
    },
  })
  const cookie = `${sessionCookieName}=${readSessionCookie(await app.openSignedInBrowser())}`
  isBroken = true

  const read = createAuth(app.config).getSession({
    headers: new Headers({ cookie }),
    url: "https://app.example/",
  })

  await expect(read).rejects.toThrow(/^The session check failed: wrong: (?!.*plain words)/)
})

test("a number that was entered as a secret is redacted", async () => {
  const pin = {
    id: "pin",
    name: "PIN",
    type: "credentials" as const,
    credentials: { pin: { type: "password" } },
    authorize: (typed: { pin?: unknown }) => {
      throw new Error(`no such pin: ${typed.pin}`)
    },
  }
  const app = createTestApp({ providers: [pin] })
  const browser = app.openBrowser()
  const csrfToken = await browser.getCsrfToken()
  await browser.fetch("/auth/callback/pin", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, pin: 918273 }),
  })
  expect(app.log.toText()).toContain("no such pin: ")
  expect(app.log.toText()).not.toContain("918273")
})

test("configured secrets are redacted, however many fields the request has", async () => {
  const words = {
    id: "words",
    name: "Words",
    type: "credentials" as const,
    credentials: { word: {} },
    authorize: () => {
      throw new Error(`wrong: ${clientSecret}`)
    },
  }
  const app = createTestApp({
    providers: [providerWithSecrets, words],
    debug: true,
    development: true,
  })
  const browser = app.openBrowser()
  const junk = Array.from({ length: 150 }, (_, index) => [
    `f${index}`,
    `a stranger's text, ${index}`,
  ])
  const fields = { csrfToken: await browser.getCsrfToken(), ...Object.fromEntries(junk) }
  const response = await browser.post("/auth/callback/words", fields)
  const page = await browser.open(response.headers.get("location") ?? "")
  expect(app.log.toText()).toContain("wrong: ")
  expect(app.log.toText()).not.toContain(clientSecret)
  expect(await page.text()).not.toContain(clientSecret)
})
