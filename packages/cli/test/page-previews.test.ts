import type { AuthConfig } from "@latchkey/core"
import { renderPreviewIndex } from "@latchkey/core/cli"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import passkey from "@latchkey/core/providers/passkey"
import postmark from "@latchkey/core/providers/postmark"
import { describe, expect, test } from "vitest"
import { findElement, findElements, readStylesheet } from "../../core/test/support/html-parser.ts"
import { renderPagePreviews } from "../src/pages/page-previews.ts"

const config: AuthConfig = {
  secret: "x".repeat(32),
  theme: { name: "Acme", brandColor: "#7c3aed" },
  providers: [
    github({ clientId: "id", clientSecret: "secret" }),
    postmark({ apiKey: "key", from: "acme@example.com" }),
    credentials({
      credentials: { name: {}, password: { type: "password" } },
      authorize: () => null,
    }),
    passkey,
  ],
}

describe("the previews of a configuration", () => {
  test("show each page in each state, with its theme and its providers", async () => {
    const previews = await renderPagePreviews(config)
    const names = previews.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining([
        "sign-in",
        "sign-in-none",
        "sign-out",
        "check-email",
        "confirm",
        "error-report",
        "message",
      ]),
    )
    for (const { name, html: source } of previews.filter(({ name }) => name !== "message")) {
      const html = source.replace(/<script>.*<\/script>/s, "")
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
      expect(findElement(html, "p", { class: "brand" }).text).toBe("AAcme")
      expect(readStylesheet(html)).toContain("#7c3aed")
      expect(findElements(html, "h1")).toHaveLength(1)
    }
    const signIn = previews.find(({ name }) => name === "sign-in")
    expect(signIn?.html).toContain("https://app.example/auth/signin/github")
    expect(signIn?.headers["content-security-policy"]).toContain("default-src 'none'")
  })

  test("lack the states of ways to sign in that it does not have", async () => {
    const previews = await renderPagePreviews({
      ...config,
      providers: config.providers.slice(0, 1),
    })
    const names = previews.map(({ name }) => name)
    expect(names).toContain("sign-in-error-oauthcallbackerror")
    expect(names).not.toContain("sign-in-error-credentialssignin")
    expect(names).not.toContain("sign-in-provider")
    expect(names).not.toContain("message")
  })

  test("are in one colour scheme at an origin on request", async () => {
    const previews = await renderPagePreviews(config, {
      origin: "https://acme.example",
      colorScheme: "dark",
    })
    for (const { html } of previews) expect(html).not.toContain("prefers-color-scheme")
    expect(previews[0]?.html).toContain("https://acme.example/auth/")
  })
})

test("the index shows pages side by side", () => {
  const html = renderPreviewIndex({
    title: "<Acme>",
    choices: [
      {
        label: "Scheme",
        options: [
          { label: "light", url: "en-light.html", isCurrent: true },
          { label: "dark", url: "en-dark.html", isCurrent: false },
        ],
      },
    ],
    pages: [{ title: "Sign in", url: "en/light/sign-in.html" }],
  })
  expect(findElement(html, "h1").text).toBe("<Acme>")
  expect(findElement(html, "iframe").attributes.get("src")).toBe("en/light/sign-in.html")
  const current = findElements(html, "a").map(({ text, attributes }) => [
    text,
    attributes.get("aria-current"),
  ])
  expect(current).toEqual([
    ["light", "page"],
    ["dark", undefined],
    ["Sign in", undefined],
  ])
})
