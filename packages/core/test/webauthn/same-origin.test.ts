/** D2: a response is accepted from pages of the site, which Fetch Metadata or the CSRF token proves. */
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"

/** Sends Ada's response to a challenge without the client. */
async function sendResponseByHand(
  headers: Record<string, string>,
  fields: Record<string, string> = {},
) {
  const { openPasskeyBrowser, handle, log } = await createPasskeyApp()
  const ada = openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  const csrfToken = await ada.browser.getCsrfToken()
  const asked = await ada.requestOptions({ action: "authenticate" })
  const data = JSON.stringify(await ada.createResponse(asked))
  const cookie = [...ada.browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const token = fields["csrfToken"] === "its own" ? { csrfToken } : {}
  const response = await handle(
    new Request("https://app.example/auth/callback/passkey", {
      method: "POST",
      headers: { cookie, ...headers },
      body: new URLSearchParams({ action: "authenticate", data, ...fields, ...token }),
    }),
  )
  return { response, log }
}

const setsSession = (response: Response) =>
  response.headers.getSetCookie().some((line) => line.startsWith("__Secure-authjs.session-token="))

test.each<[Record<string, string>, Record<string, string>]>([
  [{ "sec-fetch-site": "same-origin" }, {}],
  [{ "sec-fetch-site": "same-origin", origin: "http://behind-a-proxy" }, {}],
  [{ origin: "https://app.example" }, {}],
  [{}, { csrfToken: "its own" }],
  [{ "sec-fetch-site": "none" }, { csrfToken: "its own" }],
])("a request is accepted with %j and %j", async (headers, fields) => {
  const { response } = await sendResponseByHand(headers, fields)
  expect(getRedirectError(response)).toBeNull()
  expect(setsSession(response)).toBe(true)
})

test.each<[Record<string, string>, Record<string, string>]>([
  [{}, {}],
  [{}, { csrfToken: "0".repeat(64) }],
  [{ "sec-fetch-site": "cross-site" }, { csrfToken: "its own" }],
  [{ "sec-fetch-site": "same-site" }, { csrfToken: "its own" }],
  [{ "sec-fetch-site": "cross-site", origin: "https://app.example" }, {}],
  [{ "sec-fetch-site": "none" }, {}],
  [{ origin: "https://evil.example" }, { csrfToken: "its own" }],
  [{ origin: "null" }, {}],
])("a request is refused with %j and %j", async (headers, fields) => {
  const { response } = await sendResponseByHand(headers, fields)
  assertRefused(response)
  expect(getRedirectError(response)).toBe("MissingCSRF")
  expect(setsSession(response)).toBe(false)
})

test("a response in the query of a GET request does nothing", async () => {
  const { openPasskeyBrowser } = await createPasskeyApp()
  const ada = openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  const data = JSON.stringify(
    await ada.createResponse(await ada.requestOptions({ action: "authenticate" })),
  )
  const query = new URLSearchParams({ action: "authenticate", data })
  const response = await ada.browser.open(`/auth/callback/passkey?${query}`)
  assertRefused(response)
  expect(await ada.browser.getSession()).toBeNull()
})

test("a form that starts a sign-in redirects to the page with the script", async () => {
  const { openPasskeyBrowser } = await createPasskeyApp()
  const response = await openPasskeyBrowser().browser.signIn("passkey")
  expect(response.headers.get("location")).toBe("https://app.example/auth/signin")
})
