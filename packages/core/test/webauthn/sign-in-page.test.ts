/** The passkey form of the sign-in page and its script. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { join } from "node:path"
import passkey from "@latchkey/core/providers/passkey"
import webauthn from "@latchkey/core/providers/webauthn"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { passwordProvider } from "../support/test-site.ts"

async function fetchSignInPage(...parameters: Parameters<typeof createPasskeyApp>) {
  const { handle } = await createPasskeyApp(...parameters)
  const response = await handle(new Request("https://app.example/auth/signin"))
  const html = await response.text()
  const policy = new Map(
    (response.headers.get("content-security-policy") ?? "")
      .split("; ")
      .map((directive): [string, string] => {
        const [name = "", ...sources] = directive.split(" ")
        return [name, sources.join(" ")]
      }),
  )
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => text ?? "",
  )
  return { html, policy, scripts }
}

/** The passkey form. */
function extractPasskeyForm(html: string): string {
  return /<form id="passkey-form"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ""
}

describe("the sign-in page", () => {
  test("has a form that is hidden until its script has checked the browser", async () => {
    const { html } = await fetchSignInPage()
    const form = extractPasskeyForm(html)
    expect(form).toMatch(
      /^<form id="passkey-form" action="https:\/\/app\.example\/auth\/callback\/passkey" method="post"[^>]* hidden>/,
    )
    expect(form).toContain('data-passkey="https://app.example/auth/webauthn-options/passkey"')
    expect(form).toContain(" data-autofill")
    expect(form).toMatch(/<input type="hidden" name="csrfToken" value="[0-9a-f]{64}">/)
    expect(form).toContain("Sign in with a passkey")
    expect(html).toMatch(/<details class="registration" hidden>[\s\S]*Create a passkey/)
    expect(html).toMatch(/autocomplete="username webauthn"/)
    expect(html).toContain(
      '<noscript><p class="note">To sign in with a passkey, turn on JavaScript.</p></noscript>',
    )
  })

  test("allows this script by its hash, and requests to its own origin", async () => {
    const { policy, scripts } = await fetchSignInPage()
    expect(scripts).toHaveLength(1)
    const hash = createHash("sha256")
      .update(scripts[0] ?? "")
      .digest("base64")
    expect(policy.get("script-src")).toBe(`'sha256-${hash}'`)
    expect(policy.get("connect-src")).toBe("'self'")
    expect(policy.get("default-src")).toBe("'none'")
  })

  test("has the script once for two providers", async () => {
    const providers = [passkey(), webauthn({ enableConditionalUI: false })]
    const { html, scripts } = await fetchSignInPage({ providers })
    // One to sign in, and one to create a passkey.
    expect(html.match(/<form[^>]+data-passkey/g)).toHaveLength(4)
    expect(html.match(/<form[^>]+data-autofill/g)).toHaveLength(1)
    expect(scripts).toHaveLength(1)
  })

  test("loads nothing from other origins, whatever script version is configured", async () => {
    const { html } = await fetchSignInPage({}, { simpleWebAuthnBrowserVersion: "v9.0.1" })
    expect(html).not.toMatch(/unpkg|src=|integrity/)
  })

  test("has no form for a provider without fields: the application renders its own", async () => {
    const { html, policy } = await fetchSignInPage(
      {},
      { formFields: {}, enableConditionalUI: false },
    )
    expect(html).not.toContain("passkey-form")
    expect(policy.has("script-src")).toBe(false)
  })

  test("of a site without passkeys has no script, and allows none", async () => {
    const { handle } = createTestApp({ providers: [passwordProvider()] })
    const response = await handle(new Request("https://app.example/auth/signin"))
    expect(await response.text()).not.toContain("<script")
    expect(response.headers.get("content-security-policy")).not.toMatch(/script-src|connect-src/)
  })

  test("shows the name of a provider as text", async () => {
    const name = '"><script>alert(1)</script>'
    const { html, scripts } = await fetchSignInPage(
      {},
      { name, formFields: { email: { label: name, autocomplete: "webauthn" } } },
    )
    expect(scripts).toHaveLength(1)
    expect(html).not.toContain("<script>alert")
  })
})

describe("its script", () => {
  test("is built from its sources", () => {
    const scripts = join(import.meta.dirname, "..", "..", "..", "..", "scripts", "page-assets.ts")
    expect(execFileSync(process.execPath, [scripts, "--check"], { encoding: "utf8" })).toBe("")
  })

  test("requests only its own origin, and writes no markup", async () => {
    const { scripts } = await fetchSignInPage()
    expect(scripts[0]).not.toMatch(
      /https?:|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|import\(/,
    )
  })
})
