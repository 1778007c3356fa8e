import { createHash } from "node:crypto"
import type { PageDescription } from "@latchkey/pages"
import english from "@latchkey/pages/languages/en"
import { expect, test } from "vitest"
import { createPageRenderer } from "../../src/pages/render-page.ts"

const homeUrl = "https://app.example/"
const callbackUrl = homeUrl
const signInUrl = `${homeUrl}auth/signin`
const action = `${signInUrl}/x`
const provider = { id: "x", name: "X", type: "oauth", action } as const
const descriptions: readonly PageDescription[] = [
  { page: "sign-in", providers: [provider], csrfToken: "token", callbackUrl },
  { page: "signed-in", user: "Ada", callbackUrl, chooseUrl: signInUrl },
  { page: "sign-out", csrfToken: "token", action, callbackUrl },
  { page: "error", error: "Nonesuch", signInUrl, homeUrl },
  { page: "error", error: "AccessDenied", signInUrl, homeUrl },
  { page: "not-found", homeUrl },
  { page: "verify-request", homeUrl },
  { page: "confirm", csrfToken: "token", action, email: "ada@example.com", homeUrl },
]
const renderPage = createPageRenderer({ theme: {} }, async () => english)
const request = { url: new URL(signInUrl), headers: new Headers() }

test("every page forbids framing, sniffing, caching and all resources except its own style", async () => {
  for (const description of descriptions) {
    const { html, headers } = await renderPage(description, request)
    const hash = createHash("sha256")
      .update(html.match(/<style>(.*?)<\/style>/s)![1]!)
      .digest()
    expect(headers).toEqual({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        `default-src 'none'; style-src 'sha256-${hash.toString("base64")}'; ` +
        "img-src 'self' data:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      "cache-control": "private, no-cache, no-store",
      expires: "0",
      pragma: "no-cache",
    })
  }
})

test("a page about an outage says when to try again", async () => {
  const page = { page: "error", error: "Configuration", reason: "unavailable" } as const
  const { status, headers } = await renderPage({ ...page, signInUrl, homeUrl }, request)
  expect([status, headers["retry-after"]]).toEqual([503, "30"])
})
