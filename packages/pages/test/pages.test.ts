import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../../core/test/support/html-parser.ts"
import type { RenderedPage } from "../src/pages/document.ts"
import type { PageProvider } from "../src/pages/page-provider.ts"
import { createPages } from "./support/built-in-pages.ts"

const pages = createPages({})
const callbackUrl = "https://app.example/dashboard"
const urls = { signInUrl: "https://app.example/auth/signin", homeUrl: "https://app.example/" }

const tenant: PageProvider = {
  id: "tenantidp",
  name: "Tenant IdP",
  type: "oidc",
  action: "https://app.example/auth/signin/tenantidp",
}
const social: PageProvider = { ...tenant, id: "socialidp", name: "Social", type: "oauth" }
const mail: PageProvider = {
  id: "nodemailer",
  name: "Email",
  type: "email",
  action: "https://app.example/auth/signin/nodemailer",
}
const password: PageProvider = {
  id: "credentials",
  name: "Password",
  type: "credentials",
  action: "https://app.example/auth/callback/credentials",
  fields: { username: { label: "User name" }, password: { type: "password" } },
}
const passkey: PageProvider = {
  id: "passkey",
  name: "Passkey",
  type: "webauthn",
  action: "https://app.example/auth/callback/passkey",
  passkey: {
    optionsUrl: "https://app.example/auth/webauthn-options/passkey",
    autofill: false,
    asksWhoSignsIn: false,
  },
  fields: { email: { label: "Email", type: "email", autocomplete: "username webauthn" } },
}

type SignInProps = Parameters<typeof pages.signIn>[0]

async function renderSignIn(
  providers: PageProvider[],
  props: Partial<SignInProps> = {},
): Promise<string> {
  const page = await pages.signIn({ providers, csrfToken: "token", callbackUrl, ...props })
  return page.html
}

describe("every page", () => {
  const pagesByName: [name: string, root: string, title: string, page: Promise<RenderedPage>][] = [
    [
      "sign-in",
      "signin",
      "Sign in",
      pages.signIn({ providers: [tenant], csrfToken: "t", callbackUrl }),
    ],
    ["sign-out", "signout", "Sign out", pages.signOut({ action: urls.homeUrl, callbackUrl })],
    ["error", "error", "Something went wrong", pages.error(urls)],
    ["verify-request", "verify-request", "Check your email", pages.verifyRequest(urls)],
    [
      "confirm",
      "confirm",
      "Confirm your sign-in",
      pages.confirm({ action: urls.homeUrl, email: "ada@example.com", homeUrl: urls.homeUrl }),
    ],
  ]

  test.each(pagesByName)(
    "%s has its title, its root, a main landmark and one heading",
    async (...row) => {
      const [, root, title, page] = row
      const { html } = await page
      expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en" dir="ltr">/)
      expect(findElement(html, "title").text).toBe(title)
      expect(findElement(html, "div", { class: root }).text).toBe(
        findElement(html, "div", { class: "card" }).text,
      )
      expect(findElement(html, "main").text).toContain(findElement(html, "h1").text)
      expect(findElements(html, "script")).toEqual([])
    },
  )
})

describe("the sign-in page", () => {
  test("has a form with a button for each OAuth provider", async () => {
    const html = await renderSignIn([tenant, social])
    expect(findElements(html, "form").map(({ attributes }) => attributes.get("method"))).toEqual([
      "post",
      "post",
    ])
    expect(findElements(html, "form")[0]!.attributes.get("action")).toBe(tenant.action)
    expect(findElements(html, "span", { class: "label" }).map(({ text }) => text)).toEqual([
      "Sign in with Tenant IdP",
      "Sign in with Social",
    ])
    expect(findElements(html, "button", { type: "submit" })).toHaveLength(2)
    expect(findElements(html, "div", { class: "provider" })).toHaveLength(2)
  })

  test("sends the CSRF token and the callback URL with every form", async () => {
    const html = await renderSignIn([tenant, mail, password, passkey])
    const token = { type: "hidden", name: "csrfToken", value: "token" }
    const target = { type: "hidden", name: "callbackUrl", value: callbackUrl }
    // A passkey has a form to sign in and one to register.
    expect(findElements(html, "input", token)).toHaveLength(5)
    expect(findElements(html, "input", target)).toHaveLength(5)
  })

  test("omits an undefined CSRF token", async () => {
    const html = await renderSignIn([tenant, mail], { csrfToken: undefined })
    expect(findElements(html, "input", { name: "csrfToken" })).toEqual([])
    expect(findElements(html, "input", { name: "callbackUrl" })).toHaveLength(2)
  })

  test("names the host of the callback URL", async () => {
    expect(findElement(await renderSignIn([tenant]), "header").text).toBe("Sign in to app.example")
    expect(findElement(await renderSignIn([tenant], { callbackUrl: "/x" }), "header").text).toBe(
      "Sign in",
    )
  })

  test("has a form for an email address", async () => {
    const html = await renderSignIn([mail], { email: "ada@example.com" })
    const id = "input-email-for-nodemailer-provider"
    expect(Object.fromEntries(findElement(html, "input", { id }).attributes)).toEqual({
      id,
      name: "email",
      type: "email",
      autocomplete: "email",
      placeholder: "email@example.com",
      required: "",
      value: "ada@example.com",
      autofocus: "",
    })
    expect(findElement(html, "label", { for: id }).text).toBe("Email")
    expect(findElement(html, "button", { id: "submitButton" }).text).toBe("Email me a sign-in link")
  })

  test("has a form for credentials with autocomplete attributes", async () => {
    const html = await renderSignIn([password])
    const name = findElement(html, "input", { id: "input-username-for-credentials-provider" })
    const secret = findElement(html, "input", { id: "input-password-for-credentials-provider" })
    expect(name.attributes.get("type")).toBe("text")
    expect(name.attributes.get("autocomplete")).toBe("username")
    expect(secret.attributes.get("type")).toBe("password")
    expect(secret.attributes.get("autocomplete")).toBe("current-password")
    expect(findElements(html, "label").map(({ text }) => text)).toEqual(["User name", "password"])
    expect(findElement(html, "form").attributes.get("action")).toBe(password.action)
  })

  test("marks the passkey form for its script", async () => {
    const html = await renderSignIn([passkey])
    expect(findElement(html, "form", { id: "passkey-form" }).attributes.get("action")).toBe(
      passkey.action,
    )
    const field = findElement(html, "input", { "data-form-field": "" })
    expect(field.attributes.get("autocomplete")).toBe("username webauthn")
    expect(findElement(html, "button", { id: "submitButton-passkey" }).text).toBe(
      "Sign in with a passkey",
    )
  })

  test("renders the harmless attributes of a field", async () => {
    const fields = {
      pin: {
        label: "PIN",
        inputMode: "numeric",
        maxlength: 6,
        required: true,
        disabled: false,
        spellcheck: false,
        "aria-label": "Your PIN",
        "data-kind": "pin",
        value: "0",
      },
      remember: { type: "checkbox", checked: true },
      realm: { type: "hidden", value: "staff" },
    }
    const html = await renderSignIn([{ ...password, fields }], { callbackUrl: "/" })
    expect(Object.fromEntries(findElement(html, "input", { name: "pin" }).attributes)).toEqual({
      id: "input-pin-for-credentials-provider",
      name: "pin",
      type: "text",
      inputmode: "numeric",
      maxlength: "6",
      required: "",
      spellcheck: "false",
      "aria-label": "Your PIN",
      "data-kind": "pin",
      value: "0",
      autofocus: "",
    })
    expect(findElement(html, "input", { name: "remember" }).attributes.has("checked")).toBe(true)
    expect(findElement(html, "input", { name: "realm" }).attributes.get("value")).toBe("staff")
    expect(findElements(html, "label").map(({ text }) => text)).toEqual(["PIN", "remember"])
  })

  test("connects every label to an input, with unique ids", async () => {
    const other = { ...password, id: "members", name: "Members" }
    const html = await renderSignIn([tenant, mail, password, other, passkey, social], {
      error: "Signin",
    })
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const labels = findElements(html, "label")
    expect(labels).toHaveLength(6)
    for (const label of labels) findElement(html, "input", { id: label.attributes.get("for")! })
    expect(ids).toContain("submitButton")
    expect(ids).toContain("submitButton-members")
  })

  test("has one main button, that of the first method", async () => {
    const main = async (...providers: PageProvider[]) =>
      findElement(await renderSignIn(providers), "button", { class: "button main" }).text
    expect(await main(mail, tenant, password, passkey)).toBe("Email me a sign-in link")
    expect(await main(passkey, mail)).toBe("Sign in with a passkey")
    expect(await main(social, mail)).toBe("SSign in with Social")
  })

  test("has one divider at most, between a form and buttons", async () => {
    const dividers = async (...providers: PageProvider[]) =>
      findElements(await renderSignIn(providers), "p", { class: "or" }).length
    expect(await dividers(tenant, social)).toBe(0)
    expect(await dividers(tenant, social, mail)).toBe(1)
    expect(await dividers(mail, tenant, social)).toBe(1)
    expect(await dividers(tenant, mail, password, social)).toBe(0)
    expect(await dividers(mail, password, passkey, social)).toBe(1)
  })

  test("focuses an input of the first method, and nothing below it", async () => {
    const focused = (html: string) => html.split(" autofocus").length - 1
    expect(focused(await renderSignIn([password, mail]))).toBe(1)
    expect(focused(await renderSignIn([tenant, mail]))).toBe(0)
    expect(focused(await renderSignIn([password], { error: "CredentialsSignin" }))).toBe(1)
    const eager = { ...password, fields: { name: {}, code: { autofocus: true } } }
    expect(focused(await renderSignIn([eager]))).toBe(1)
  })

  test("explains that there are no sign-in methods", async () => {
    expect(findElement(await renderSignIn([]), "p", { class: "note" }).text).not.toBe("")
  })
})

describe("the marks of providers", () => {
  test("show the logo of a provider, or the first letter of its name", async () => {
    const logo = "data:image/png;base64,iVBORw0KGgo="
    const html = await renderSignIn([{ ...tenant, style: { logo } }, social])
    expect(findElement(html, "img").attributes.get("src")).toBe(logo)
    expect(findElement(html, "img").attributes.get("alt")).toBe("")
    expect(findElement(html, "span", { class: "mark" }).text).toBe("S")
    expect(findElement(html, "span", { class: "mark" }).attributes.get("aria-hidden")).toBe("true")
  })

  test("are icons for providers with a form", async () => {
    // The first one is open and has no button with an icon. The other one has a second icon, which points at its form.
    expect(findElements(await renderSignIn([mail, password, passkey]), "svg")).toHaveLength(3)
  })
})

describe("an error on the sign-in page", () => {
  const findMessage = async (error: string, code?: string) =>
    findElement(await renderSignIn([password], { error, code }), "div", { id: "error" })

  test("is announced, and describes the inputs", async () => {
    const html = await renderSignIn([tenant, mail, password], { error: "CredentialsSignin" })
    expect(findElement(html, "div", { class: "error", role: "alert", id: "error" }).text).not.toBe(
      "",
    )
    const described = findElements(html, "input", { "aria-describedby": "error" })
    expect(described.map(({ attributes }) => attributes.get("name"))).toEqual([
      "username",
      "password",
    ])
  })

  test("is absent without a code", async () => {
    for (const error of [undefined, ""]) {
      const html = await renderSignIn([password], { error })
      expect(findElements(html, "div", { role: "alert" })).toEqual([])
      expect(html).not.toContain("aria-describedby")
    }
  })

  const defaultMessage = "Your request could not be completed. Try again."
  test.each([
    "Signin",
    "OAuthSignin",
    "OAuthCallbackError",
    "OAuthCreateAccount",
    "EmailCreateAccount",
    "Callback",
    "OAuthAccountNotLinked",
    "AccountNotLinked",
    "EmailSignin",
    "CredentialsSignin",
    "WebAuthnVerificationError",
    "AccessDenied",
    "Verification",
    "TooManyRequests",
    "Configuration",
    "SessionRequired",
    "MissingCSRF",
  ])("%s has its own message", async (code) => {
    const { text } = await findMessage(code)
    expect(text).not.toBe(defaultMessage)
    expect(text).not.toContain(code)
  })

  test("shows the default message for any other code", async () => {
    expect((await findMessage("Nonesuch")).text).toBe(defaultMessage)
  })

  test("is a notice when nothing failed", async () => {
    expect((await findMessage("SessionRequired")).attributes.get("class")).toBe("error notice")
  })

  test("has the code of a CredentialsSignin in an attribute, and does not show it", async () => {
    const element = await findMessage("CredentialsSignin", "otp_required")
    expect(element.attributes.get("data-code")).toBe("otp_required")
    expect(element.text).not.toContain("otp_required")
    for (const code of ["call 555-0100", "a".repeat(65), ""]) {
      expect((await findMessage("CredentialsSignin", code)).attributes.has("data-code")).toBe(false)
    }
    expect((await findMessage("Signin", "otp_required")).attributes.has("data-code")).toBe(false)
  })
})

describe("the sign-out page", () => {
  test("asks for confirmation, and posts the CSRF token and the callback URL", async () => {
    const action = "https://app.example/auth/signout"
    const { html } = await pages.signOut({ csrfToken: "token", action, callbackUrl })
    expect(findElement(html, "h1").text).toBe("Sign out")
    expect(findElement(html, "form", { action, method: "post" }).text).toBe("Sign out")
    findElement(html, "input", { name: "csrfToken", value: "token" })
    findElement(html, "input", { name: "callbackUrl", value: callbackUrl })
    expect(findElement(html, "button", { id: "submitButton" }).text).toBe("Sign out")
    findElement(html, "a", { class: "site", href: callbackUrl })
  })
})

describe("the error page", () => {
  test.each([
    ["Configuration", 500, "Sign-in is unavailable", "site"],
    ["AccessDenied", 403, "Access denied", "button main"],
    ["Verification", 403, "This link no longer works", "button main"],
    ["TooManyRequests", 429, "Too many attempts", "site"],
    ["Default", 200, "Something went wrong", "site"],
    [undefined, 200, "Something went wrong", "site"],
  ])("has for %s the status %i", async (error, status, heading, link) => {
    const page = await pages.error({ error, ...urls })
    expect(page.status).toBe(status)
    expect(findElement(page.html, "h1").text).toBe(heading)
    const anchor = findElement(page.html, "a", { class: link })
    const isSite = link === "site"
    expect(anchor.text).toBe(isSite ? "app.example" : "Sign in")
    expect(anchor.attributes.get("href")).toBe(isSite ? urls.homeUrl : urls.signInUrl)
  })
})

describe("the pages for email links", () => {
  test("tell users to check their email", async () => {
    const { html } = await pages.verifyRequest(urls)
    expect(findElement(html, "h1").text).toBe("Check your email")
    expect(findElement(html, "a", { class: "site", href: urls.homeUrl }).text).toBe("app.example")
  })

  test("consume a link only when the user presses the button", async () => {
    const action = "https://app.example/auth/callback/nodemailer?token=t&email=ada%40example.com"
    const { homeUrl } = urls
    const email = "ada@example.com"
    const page = await pages.confirm({ action, csrfToken: "c", email, user: "Ada", homeUrl })
    expect(findElement(page.html, "strong").text).toBe("Ada")
    findElement(page.html, "form", { action, method: "post" })
    findElement(page.html, "input", { name: "csrfToken", value: "c" })
    const button = findElement(page.html, "button", { id: "submitButton", type: "submit" })
    expect(button.text).toBe("Continue as ada@example.com")
    expect(findElements(page.html, "a", { href: action })).toEqual([])
  })
})
