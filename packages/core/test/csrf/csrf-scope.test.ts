/** The pair that every browser has for forms to come, and when it is looked at. */
import { getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp } from "../support/password-app.ts"

const csrfCookieName = "__Host-authjs.csrf-token"
const foreignPair = `${"0".repeat(64)}%7C${"1".repeat(64)}`

/** A browser with a cookie that is not a valid CSRF cookie of this application, whatever it looks like. */
function openBrowserWithCookie(value: string) {
  const alice = createPasswordApp().openBrowser()
  alice.cookies.setUnchecked(alice.origin, `${csrfCookieName}=${value}; Path=/; Secure`)
  return alice
}

describe("a CSRF cookie that this library did not create", () => {
  test("is kept by a page without a form, which looks only at its shape", async () => {
    const alice = openBrowserWithCookie(foreignPair)
    expect(getSetCookieNames(await alice.open("/auth/verify-request"))).not.toContain(
      csrfCookieName,
    )
  })

  test.each(["csrf", "signin", "error?error=Configuration&reason=still-signed-in"])(
    "is replaced where `%s` renders a form",
    async (route) => {
      const alice = openBrowserWithCookie(foreignPair)
      expect(getSetCookieNames(await alice.open(`/auth/${route}`))).toContain(csrfCookieName)
    },
  )

  test("is refused by a form, and replaced by the next page", async () => {
    const alice = openBrowserWithCookie(foreignPair)
    const refused = await alice.post("/auth/signout", { csrfToken: "0".repeat(64) })
    expect(refused.headers.get("location")).toContain("error=MissingCSRF")
    const accepted = await alice.post("/auth/signout", { csrfToken: await alice.getCsrfToken() })
    expect(accepted.headers.get("location")).not.toContain("error=")
  })
})

test.each(["old", `${"0".repeat(64)}|`, "%"])(
  "a cookie that does not even look like a CSRF cookie (%s) is replaced by a response that leads to a form",
  async (value) => {
    const alice = openBrowserWithCookie(value)
    expect(getSetCookieNames(await alice.open("/auth/session"))).not.toContain(csrfCookieName)
    expect(getSetCookieNames(await alice.open("/auth/verify-request"))).toContain(csrfCookieName)
  },
)
