/** Passkeys on a page of a trusted origin: the relying party names its origin. */
import { getSetCookieNames } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"

const front = "https://front.app.example"
const relayingParty = { id: "app.example", name: "App", origin: front }

/** Registers a passkey as a script of a page does. Returns the responses of both requests. */
async function register(from: string, trustedOrigins: string[]) {
  const { openPasskeyBrowser } = await createPasskeyApp({ trustedOrigins }, { relayingParty })
  const { browser, device } = openPasskeyBrowser()
  const csrfToken = await browser.getCsrfToken()
  const query = new URLSearchParams({ action: "register", name: "ada" })
  const options = await browser.fetch(`/auth/webauthn-options/passkey?${query}`, { from })
  if (options.status !== 200) return { options }
  const credential = await device.create((await options.json()).options, from)
  const fields = { action: "register", data: JSON.stringify(credential), csrfToken }
  return { options, reply: await browser.post("/auth/callback/passkey", fields, { from }) }
}

test("are created for a trusted origin", async () => {
  const { options, reply } = await register(front, [front])
  expect(options.headers.get("access-control-allow-origin")).toBe(front)
  expect(reply && getSetCookieNames(reply)).toContain("__Secure-authjs.session-token")
})

test("are not created for another origin of the domain", async () => {
  const { options } = await register(front, ["https://other.app.example"])
  expect([options.status, await options.json()]).toEqual([400, { error: "Invalid request" }])
})
