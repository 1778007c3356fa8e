/** The order of the methods on the sign-in page, which of them are open, and where an error is. */

import type { OAuthConfig } from "@latchkey/core/providers"
import apple from "@latchkey/core/providers/apple"
import github from "@latchkey/core/providers/github"
import gitlab from "@latchkey/core/providers/gitlab"
import google from "@latchkey/core/providers/google"
import microsoft from "@latchkey/core/providers/microsoft-entra-id"
import { describe, expect, test } from "vitest"
import { findElement, findElements, parseHtml } from "../../core/test/support/html-parser.ts"
import type { PageProvider } from "../src/pages/page-provider.ts"
import type { SignInPageProps } from "../src/pages/sign-in-page.ts"
import type { Theme } from "../src/theme/theme.ts"
import { createPages } from "./support/built-in-pages.ts"

const action = "https://app.example/auth/x"

function createButton({
  id,
  name,
  style = {},
}: Pick<OAuthConfig<never>, "id" | "name" | "style">): PageProvider {
  return { id, name, type: "oauth", action, style }
}

const buttons = [google(), github(), apple(), microsoft()].map(createButton)
const [googleButton, githubButton] = buttons as [PageProvider, PageProvider]
const mail: PageProvider = { id: "email", name: "Email", type: "email", action }
const password: PageProvider = {
  id: "credentials",
  name: "Credentials",
  type: "credentials",
  action,
  identifierField: "name",
  fields: { name: { label: "Name" }, word: { type: "password" }, code: { label: "Code" } },
}
const passkey: PageProvider = {
  id: "passkey",
  name: "Passkey",
  type: "webauthn",
  action,
  fields: { name: { label: "Name", required: true } },
  passkey: { optionsUrl: action, autofill: true, asksWhoSignsIn: false },
}
const everything = [...buttons, mail, password, passkey]

async function render(
  providers: readonly PageProvider[],
  props: Partial<SignInPageProps> = {},
  theme: Theme = {},
): Promise<string> {
  const page = { providers, csrfToken: "t", callbackUrl: "https://app.example/", ...props }
  return (await createPages(theme).signIn(page)).html
}

/** The buttons in the order of the page, without those inside of forms that are closed. */
function listMethods(html: string): string[] {
  const elements = parseHtml(html).filter(
    ({ tag, attributes }) =>
      attributes.get("class") === "label" ||
      (tag === "button" && attributes.get("class") === "button main"),
  )
  return [...new Set(elements.map(({ text }) => text))]
}

const getFocused = (html: string) =>
  parseHtml(html)
    .filter(({ attributes }) => attributes.has("autofocus"))
    .map(({ attributes }) => attributes.get("name") ?? attributes.get("id"))

describe("the methods", () => {
  test("are in the order of the configuration, with closed forms", async () => {
    const html = await render(everything)
    expect(listMethods(html)).toEqual([
      "Sign in with Google",
      "Sign in with GitHub",
      "Sign in with Apple",
      "Sign in with Microsoft Entra ID",
      "Sign in with email",
      "Sign in with a password",
      "Sign in with a passkey",
    ])
    expect(findElements(html, "details", { name: "method" })).toHaveLength(2)
    expect(findElements(html, "details").some(({ attributes }) => attributes.has("open"))).toBe(
      false,
    )
  })

  test("leave the only form with inputs open, below the buttons", async () => {
    const html = await render([googleButton, mail, githubButton])
    expect(findElements(html, "details")).toEqual([])
    expect(html.indexOf("Sign in with")).toBeLessThan(html.indexOf('name="email"'))
    expect(html.lastIndexOf("GitHub")).toBeLessThan(html.indexOf('name="email"'))
  })

  test("begin with the one that was last used, which is marked", async () => {
    const html = await render(everything, { lastUsed: "credentials" })
    expect(findElement(html, "span", { class: "badge" }).text).toBe("Last used")
    expect(findElement(html, "button", { class: "button main" }).text).toBe("Sign in Last used")
    expect(getFocused(html)).toEqual(["name"])
    expect(findElements(html, "details", { name: "method" })).toHaveLength(1)
    const button = await render(everything, { lastUsed: "github" })
    expect(listMethods(button).slice(0, 2)).toEqual([
      "Sign in with GitHub Last used",
      "Sign in with GitHub",
    ])
  })

  test("ignore a provider that was last used and does not exist any more", async () => {
    for (const lastUsed of ["gone", "__proto__", ""]) {
      expect(await render(everything, { lastUsed })).toBe(await render(everything))
    }
  })

  test("offer passkeys in the fields for names and addresses, if the provider does", async () => {
    const getAutocomplete = (html: string, name: string) =>
      findElements(html, "input", { name }).map(({ attributes }) => attributes.get("autocomplete"))
    const html = await render([password, mail, passkey])
    expect(getAutocomplete(html, "email")).toEqual(["email webauthn"])
    expect(getAutocomplete(html, "word")).toEqual(["current-password"])
    expect(getAutocomplete(await render([password, mail]), "email")).toEqual(["email"])
  })
})

describe("a form to which the application gave a name", () => {
  const securityKey = {
    ...passkey,
    passkey: { optionsUrl: action, autofill: false, asksWhoSignsIn: true },
  }
  const forms: [type: string, form: PageProvider, act: string][] = [
    ["credentials", password, "Sign in"],
    ["email", mail, "Email me a sign-in link"],
    ["webauthn", securityKey, "Sign in with a passkey"],
  ]
  test.each(forms)(
    "of the type %s has it on the button that opens it, and not in it again",
    async (_, form, act) => {
      for (const name of ["a password", "Sign in", "<b>LDAP</b>", form.name]) {
        const named = { ...form, name }
        const html = await render([named, googleButton, { ...named, id: "second" }])
        const buttons = findElements(html, "button", { type: "submit" }).map(({ text }) => text)
        expect(buttons.filter((text) => text === act)).toHaveLength(2)
        if (name !== form.name) {
          expect(
            findElements(html, "summary")
              .map(({ text }) => text)
              .join(),
          ).toContain(`Sign in with ${name}`)
          expect(buttons.join()).not.toContain(name === "Sign in" ? "with Sign in" : name)
        }
        // A flex container would separate the words.
        expect(html).not.toMatch(/<button[^>]*>[^<]*<bdi>/)
      }
    },
  )
})

describe("the heading", () => {
  test("names the application, or the host", async () => {
    const heading = async (theme: Theme, props = {}) =>
      findElement(await render([mail], props, theme), "h1").text
    expect(await heading({ name: "Loam & Co" })).toBe("Sign in to Loam & Co")
    expect(await heading({})).toBe("Sign in to app.example")
    expect(await heading({}, { callbackUrl: "/a" })).toBe("Sign in")
  })
})

describe("a passkey", () => {
  test("is created in a form of its own, which its script shows", async () => {
    const html = await render(everything)
    const registration = findElement(html, "details", { class: "registration" })
    expect(registration.attributes.has("hidden")).toBe(true)
    expect(registration.text).toBe("Create a passkey Name Create a passkey")
    expect(findElement(html, "form", { id: "passkey-form" }).text).toBe("Sign in with a passkey")
    findElement(html, "button", { id: "registerButton-passkey", value: "register" })
    findElement(html, "button", { id: "submitButton-passkey", value: "authenticate" })
  })

  test("has fields to sign in if security keys need them", async () => {
    const key = {
      ...passkey,
      passkey: { optionsUrl: action, autofill: false, asksWhoSignsIn: true },
    }
    const html = await render([key])
    expect(findElement(html, "form", { id: "passkey-form" }).text).toBe(
      "Name Sign in with a passkey",
    )
    const ids = findElements(html, "input", { name: "name" }).map(({ attributes }) =>
      attributes.get("id"),
    )
    expect(ids).toEqual([
      "input-name-for-passkey-provider",
      "input-name-for-passkey-registration-provider",
    ])
  })
})

describe("visitors without an account", () => {
  test("get a link to the registration page", async () => {
    const html = await render([mail], { signUpUrl: "/register" })
    expect(findElement(html, "a", { href: "/register" }).text).toBe("Create an account")
    expect(await render([mail])).not.toContain("Create an account")
  })
})

describe("an error", () => {
  test("opens the form that it belongs to, with what was typed, and focuses the empty field", async () => {
    const failure = { provider: "credentials", identifier: 'ada"><' }
    const html = await render(everything, { error: "CredentialsSignin", failure })
    const name = findElement(html, "input", { id: "input-name-for-credentials-provider" })
    expect(name.attributes.get("value")).toBe('ada"><')
    expect(name.attributes.get("aria-invalid")).toBe("true")
    expect(name.attributes.get("aria-describedby")).toBe("error")
    expect(getFocused(html)).toEqual(["word"])
    expect(findElement(html, "button", { class: "button main" }).text).toBe("Sign in")
    expect(html.indexOf('id="error"')).toBeLessThan(html.indexOf('name="word"'))
  })

  test("about an address keeps it and focuses it", async () => {
    const failure = { provider: "email", identifier: "ada@" }
    const html = await render(everything, { error: "InvalidEmail", failure })
    expect(findElement(html, "input", { name: "email" }).attributes.get("value")).toBe("ada@")
    expect(getFocused(html)).toEqual(["email"])
  })

  test("that is not about the input does not call it invalid", async () => {
    const failure = { provider: "credentials", identifier: "ada" }
    const html = await render(everything, { error: "TooManyRequests", failure })
    expect(findElements(html, "input", { "aria-invalid": "true" })).toEqual([])
    expect(findElements(html, "input", { "aria-describedby": "error" })).toHaveLength(3)
  })

  test("finds its form by its type if nothing was saved", async () => {
    for (const [error, field] of [
      ["EmailSignin", "email"],
      ["CredentialsSignin", "name"],
    ] as const)
      expect(getFocused(await render(everything, { error }))).toEqual([field])
  })

  test("of a provider has the focus itself, so that screen readers read it", async () => {
    for (const providers of [everything, [mail, ...buttons]]) {
      const html = await render(providers, { error: "OAuthCallbackError" })
      expect(getFocused(html)).toEqual(["error"])
      expect(findElement(html, "div", { id: "error" }).attributes.get("tabindex")).toBe("-1")
      expect(findElements(html, "input", { "aria-describedby": "error" })).toEqual([])
    }
  })

  test("of a provider that does not exist any more changes no order", async () => {
    const failure = { provider: "gone", identifier: "ada" }
    const html = await render(everything, { error: "Signin", failure })
    expect(listMethods(html)).toEqual(listMethods(await render(everything)))
    expect(findElements(html, "input", { value: "ada" })).toEqual([])
  })
})

describe("icons", () => {
  test("are the logos of providers, and not one letter for several", async () => {
    const html = await render([google(), github(), gitlab()].map(createButton))
    expect(findElements(html, "svg").map(({ attributes }) => attributes.get("class"))).toEqual([
      "glyph colors",
      "glyph",
      "glyph",
    ])
    expect(findElements(html, "span", { class: "mark" })).toEqual([])
  })

  test("have two letters if several names begin with the same one", async () => {
    const names = ["Acme", "acorn nuts", "Beta", "🎈 Party"]
    const html = await render(names.map((name) => ({ ...googleButton, id: name, name, style: {} })))
    const letters = findElements(html, "span", { class: "mark" }).map(({ text }) => text)
    expect(letters).toEqual(["Ac", "AN", "B", "🎈"])
  })

  test("are an image if the application has one", async () => {
    const style = { ...googleButton.style, logo: "/logo.png" }
    const html = await render([{ ...googleButton, style }])
    expect(findElement(html, "img").attributes.get("src")).toBe("/logo.png")
    expect(findElements(html, "svg")).toEqual([])
  })

  test("are letters if the logo fails to load", async () => {
    const loadLogo = () => Promise.reject(new Error("The file is missing."))
    const html = await render([{ ...googleButton, style: { loadLogo } }])
    expect(findElement(html, "span", { class: "mark" }).text).toBe("G")
  })
})

test("a page with seven methods is smaller than 12 KB compressed", async () => {
  const html = await render(everything, { lastUsed: "credentials", signUpUrl: "/register" })
  const stream = new Blob([html]).stream().pipeThrough(new CompressionStream("gzip"))
  expect((await new Response(stream).arrayBuffer()).byteLength).toBeLessThan(12_288)
})
