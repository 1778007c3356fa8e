/** D2: an answer is taken from this site's own pages, on the browser's word or with a token. */
import { assertRefused, errorOf } from "@latchkey/testing"
import { expect, test } from "vitest"
import { passkeyHouse } from "../support/passkey-house.ts"

/** Ada's answer to a challenge, sent by hand. */
async function answered(headers: Record<string, string>, fields: Record<string, string> = {}) {
  const { person, handle, log } = await passkeyHouse()
  const ada = person()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  const csrfToken = await ada.browser.csrf()
  const asked = await ada.ask({ action: "authenticate" })
  const data = JSON.stringify(await ada.answer(asked))
  const cookie = [...ada.browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const token = fields["csrfToken"] === "its own" ? { csrfToken } : {}
  const answer = await handle(
    new Request("https://app.example/auth/callback/passkey", {
      method: "POST",
      headers: { cookie, ...headers },
      body: new URLSearchParams({ action: "authenticate", data, ...fields, ...token }),
    }),
  )
  return { answer, log }
}

const sessionSet = (answer: Response) =>
  answer.headers.getSetCookie().some((line) => line.startsWith("__Secure-authjs.session-token="))

test.each<[Record<string, string>, Record<string, string>]>([
  [{ "sec-fetch-site": "same-origin" }, {}],
  [{ "sec-fetch-site": "same-origin", origin: "http://behind-a-proxy" }, {}],
  [{ origin: "https://app.example" }, {}],
  [{}, { csrfToken: "its own" }],
  [{ "sec-fetch-site": "none" }, { csrfToken: "its own" }],
])("25 is taken with %j and %j", async (headers, fields) => {
  const { answer } = await answered(headers, fields)
  expect(errorOf(answer)).toBeNull()
  expect(sessionSet(answer)).toBe(true)
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
])("28 is refused with %j and %j", async (headers, fields) => {
  const { answer } = await answered(headers, fields)
  assertRefused(answer)
  expect(errorOf(answer)).toBe("MissingCSRF")
  expect(sessionSet(answer)).toBe(false)
})

test("31 an answer in the address of a GET does nothing", async () => {
  const { person } = await passkeyHouse()
  const ada = person()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  const data = JSON.stringify(await ada.answer(await ada.ask({ action: "authenticate" })))
  const query = new URLSearchParams({ action: "authenticate", data })
  const answer = await ada.browser.open(`/auth/callback/passkey?${query}`)
  assertRefused(answer)
  expect(await ada.browser.session()).toBeNull()
})

test("a form that would begin a sign-in leads to the page with the script", async () => {
  const { person } = await passkeyHouse()
  const answer = await person().browser.signIn("passkey")
  expect(answer.headers.get("location")).toBe("https://app.example/auth/signin")
})
