import { describe, expect, test } from "vitest"
import german from "../../src/languages/de.ts"
import english from "../../src/languages/en.ts"
import type { PageProvider } from "../../src/pages/page-provider.ts"
import { createPageRenderer } from "../../src/pages/render-page.ts"
import type { SignInPageProps } from "../../src/pages/sign-in-page.ts"
import { createPages } from "../support/built-in-pages.ts"
import { findElements } from "../support/html-parser.ts"

const origin = "https://app.example"
const action = `${origin}/auth/signin`
const providers: readonly PageProvider[] = [
  { id: "one", name: "One", type: "oauth", action: `${action}/one` },
  { id: "two", name: "Two", type: "oauth", action: `${action}/two` },
  { id: "mail", name: "Email", type: "email", action: `${action}/mail` },
]
const basicProps = { providers, csrfToken: "token", callbackUrl: origin }

const readInputs = (html: string, name: string) =>
  findElements(html, "input", { name }).map(({ attributes }) => attributes.get("value"))
const readHeading = (html: string) => findElements(html, "h1")[0]?.text
const readMainButton = (html: string) => findElements(html, "button", { class: "button main" })[0]

describe("a sign-in page that is rendered once for many visitors", () => {
  const pages = createPages({})
  const render = async (props: Partial<SignInPageProps> = {}) =>
    (await pages.signIn({ ...basicProps, ...props })).html

  test("each visitor gets their own token and callback URL, and of others nothing", async () => {
    for (const visitor of ["ada", "bob"]) {
      const callbackUrl = `${origin}/${visitor}?a=$&amp;$1`
      const html = await render({ csrfToken: `token-${visitor}`, callbackUrl })
      expect(readInputs(html, "csrfToken")).toEqual(Array(3).fill(`token-${visitor}`))
      expect(readInputs(html, "callbackUrl")).toEqual(Array(3).fill(callbackUrl))
      expect(html).not.toContain(visitor === "ada" ? "bob" : "ada")
    }
    expect(readInputs(await render({ csrfToken: undefined }), "csrfToken")).toEqual([])
  })

  test("what a visitor typed is on no other page", async () => {
    const email = "<hidden-inputs>@example.com"
    const typed = await render({ email, error: "EmailSignin" })
    expect(readInputs(typed, "email")).toEqual([email])
    expect(readInputs(typed, "csrfToken")).toHaveLength(3)
    expect(readInputs(await render(), "email")).toEqual([undefined])
    expect(findElements(await render(), "div", { role: "alert" })).toEqual([])
  })

  test("the last provider, the site, the registration page and the providers change it", async () => {
    const last = { lastUsed: "two" }
    expect(readMainButton(await render())?.text).toContain("One")
    expect(readMainButton(await render(last))?.text).toContain("Two")
    expect(readMainButton(await render({ lastUsed: "three" }))?.text).toContain("One")
    expect(readHeading(await render({ callbackUrl: "https://other.example" }))).toContain("other.")
    expect(readHeading(await render())).toContain("app.example")
    const signUpUrl = `${origin}/join`
    expect(findElements(await render({ signUpUrl }), "a", { href: signUpUrl })).toHaveLength(1)
    expect(findElements(await render(), "a", { href: signUpUrl })).toEqual([])
    expect(
      readInputs(await render({ providers: providers.slice(0, 1) }), "csrfToken"),
    ).toHaveLength(1)
  })

  test("no visitor waits for the page of another", async () => {
    const { logo } = await import("../../src/providers/logos/github.ts")
    let finishLoading = (): void => {}
    const slowLoad = new Promise<void>((resolve) => {
      finishLoading = resolve
    })
    const loads = [slowLoad]
    const style = { loadLogo: async () => ({ logo, loaded: await loads.shift() }) }
    const slow = [{ id: "slow", name: "Slow", type: "oauth", action, style }] as const
    const waiting = render({ providers: slow, csrfToken: "first" })
    const html = await render({ providers: slow, csrfToken: "second" })
    expect(readInputs(html, "csrfToken")).toEqual(["second"])
    finishLoading()
    expect(readInputs(await waiting, "csrfToken")).toEqual(["first"])
  })

  test("each language has its own", async () => {
    const headings: (string | undefined)[] = []
    const languages = [english, german, english]
    let language = english
    const renderPage = createPageRenderer({
      config: { theme: {} },
      selectLanguage: async () => language,
    })
    for (language of languages) {
      const request = { url: new URL(action), headers: new Headers() }
      const { html } = await renderPage({ page: "sign-in", ...basicProps }, request)
      headings.push(readHeading(html))
    }
    expect(headings).toEqual([headings[0], expect.stringContaining("anmelden"), headings[0]])
  })
})
