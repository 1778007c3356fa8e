import { describe, expect, test } from "vitest"
import { createPages, type Page, type PageProvider } from "../src/pages/pages.ts"
import { all, one } from "./pages-markup.ts"

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
  fields: { email: { label: "Email", type: "email", autocomplete: "username webauthn" } },
}

type SignIn = Parameters<typeof pages.signIn>[0]

async function signIn(providers: PageProvider[], props: Partial<SignIn> = {}): Promise<string> {
  const page = await pages.signIn({ providers, csrfToken: "token", callbackUrl, ...props })
  return page.html
}

describe("every page", () => {
  const made: [name: string, root: string, title: string, page: Promise<Page>][] = [
    [
      "sign-in",
      "signin",
      "Sign In",
      pages.signIn({ providers: [tenant], csrfToken: "t", callbackUrl }),
    ],
    ["sign-out", "signout", "Sign Out", pages.signOut({ action: urls.homeUrl, callbackUrl })],
    ["error", "error", "Error", pages.error(urls)],
    ["verify-request", "verify-request", "Verify Request", pages.verifyRequest(urls)],
    [
      "confirm",
      "confirm",
      "Confirm Sign In",
      pages.confirm({ action: urls.homeUrl, email: "ada@example.com", homeUrl: urls.homeUrl }),
    ],
  ]

  test.each(made)("%s has its title, its root, a main landmark and one heading", async (...row) => {
    const [, root, title, page] = row
    const { html } = await page
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/)
    expect(one(html, "title").text).toBe(title)
    expect(one(html, "div", { class: root }).text).toBe(one(html, "div", { class: "card" }).text)
    expect(one(html, "main").text).toContain(one(html, "h1").text)
    expect(all(html, "script")).toEqual([])
  })

  test("shows the logo of the theme above the card", async () => {
    const { html } = await createPages({ logo: "/logo.svg" }).verifyRequest(urls)
    expect(one(html, "img", { class: "logo" }).attributes.get("src")).toBe("/logo.svg")
    expect(one(html, "img").attributes.get("alt")).toBe("Logo")
  })
})

describe("the sign-in page", () => {
  test("has a form with a button for each OAuth provider", async () => {
    const html = await signIn([tenant, social])
    expect(all(html, "form").map(({ attributes }) => attributes.get("method"))).toEqual([
      "post",
      "post",
    ])
    expect(all(html, "form")[0]!.attributes.get("action")).toBe(tenant.action)
    expect(all(html, "span", { class: "label" }).map(({ text }) => text)).toEqual([
      "Sign in with Tenant IdP",
      "Sign in with Social",
    ])
    expect(all(html, "button", { class: "button", type: "submit" })).toHaveLength(2)
    expect(all(html, "div", { class: "provider" })).toHaveLength(2)
  })

  test("sends the CSRF token and the callback URL with every form", async () => {
    const html = await signIn([tenant, mail, password, passkey])
    const token = { type: "hidden", name: "csrfToken", value: "token" }
    const target = { type: "hidden", name: "callbackUrl", value: callbackUrl }
    expect(all(html, "input", token)).toHaveLength(4)
    expect(all(html, "input", target)).toHaveLength(4)
  })

  test("leaves out the CSRF token when there is none", async () => {
    const html = await signIn([tenant, mail], { csrfToken: undefined })
    expect(all(html, "input", { name: "csrfToken" })).toEqual([])
    expect(all(html, "input", { name: "callbackUrl" })).toHaveLength(2)
  })

  test("says where the way leads", async () => {
    expect(one(await signIn([tenant]), "header").text).toBe("Sign in to continue to app.example")
    expect(one(await signIn([tenant], { callbackUrl: "/x" }), "header").text).toBe("Sign in")
  })

  test("asks for an address", async () => {
    const html = await signIn([mail], { email: "ada@example.com" })
    const id = "input-email-for-nodemailer-provider"
    expect(Object.fromEntries(one(html, "input", { id }).attributes)).toEqual({
      id,
      name: "email",
      type: "email",
      autocomplete: "email",
      placeholder: "email@example.com",
      required: "",
      value: "ada@example.com",
      autofocus: "",
    })
    expect(one(html, "label", { for: id }).text).toBe("Email")
    expect(one(html, "button", { id: "submitButton" }).text).toBe("Sign in with Email")
  })

  test("asks for credentials, with what password managers need to know", async () => {
    const html = await signIn([password])
    const name = one(html, "input", { id: "input-username-for-credentials-provider" })
    const secret = one(html, "input", { id: "input-password-for-credentials-provider" })
    expect(name.attributes.get("type")).toBe("text")
    expect(name.attributes.get("autocomplete")).toBe("username")
    expect(secret.attributes.get("type")).toBe("password")
    expect(secret.attributes.get("autocomplete")).toBe("current-password")
    expect(all(html, "label").map(({ text }) => text)).toEqual(["User name", "password"])
    expect(one(html, "form").attributes.get("action")).toBe(password.action)
  })

  test("marks the form of a passkey for the script that drives it", async () => {
    const html = await signIn([passkey])
    expect(one(html, "form", { id: "passkey-form" }).attributes.get("action")).toBe(passkey.action)
    const field = one(html, "input", { "data-form-field": "" })
    expect(field.attributes.get("autocomplete")).toBe("username webauthn")
    expect(one(html, "button", { id: "submitButton-passkey" }).text).toBe("Sign in with Passkey")
  })

  test("prints the harmless attributes of a field", async () => {
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
    const html = await signIn([{ ...password, fields }], { callbackUrl: "/" })
    expect(Object.fromEntries(one(html, "input", { name: "pin" }).attributes)).toEqual({
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
    expect(one(html, "input", { name: "remember" }).attributes.has("checked")).toBe(true)
    expect(one(html, "input", { name: "realm" }).attributes.get("value")).toBe("staff")
    expect(all(html, "label").map(({ text }) => text)).toEqual(["PIN", "remember"])
  })

  test("ties every label to an input, and gives no id twice", async () => {
    const other = { ...password, id: "members", name: "Members" }
    const html = await signIn([tenant, mail, password, other, passkey, social], { error: "Signin" })
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const labels = all(html, "label")
    expect(labels).toHaveLength(6)
    for (const label of labels) one(html, "input", { id: label.attributes.get("for")! })
    expect(ids).toContain("submitButton")
    expect(ids).toContain("submitButton-members")
  })

  test("has one main button", async () => {
    const html = await signIn([tenant, mail, password, passkey])
    expect(one(html, "button", { class: "button main" }).text).toBe("Sign in with Email")
  })

  test("divides forms from each other and from rows of buttons", async () => {
    const dividers = async (...providers: PageProvider[]) =>
      all(await signIn(providers), "p", { class: "or" }).length
    expect(await dividers(tenant, social)).toBe(0)
    expect(await dividers(tenant, social, mail)).toBe(1)
    expect(await dividers(mail, tenant, social)).toBe(1)
    expect(await dividers(tenant, mail, password, social)).toBe(3)
  })

  test("takes the focus only where nothing stands before the first input", async () => {
    const focused = (html: string) => html.split(" autofocus").length - 1
    expect(focused(await signIn([password, mail]))).toBe(1)
    expect(focused(await signIn([tenant, mail]))).toBe(0)
    expect(focused(await signIn([password], { error: "CredentialsSignin" }))).toBe(0)
    const eager = { ...password, fields: { name: {}, code: { autofocus: true } } }
    expect(focused(await signIn([eager]))).toBe(1)
  })

  test("says so when there is no way to sign in", async () => {
    expect(one(await signIn([]), "p", { class: "note" }).text).not.toBe("")
  })
})

describe("the marks of the providers", () => {
  test("show the picture of a provider, or the first letter of its name", async () => {
    const logo = "data:image/png;base64,iVBORw0KGgo="
    const html = await signIn([{ ...tenant, style: { logo } }, social])
    expect(one(html, "img").attributes.get("src")).toBe(logo)
    expect(one(html, "img").attributes.get("alt")).toBe("")
    expect(one(html, "span", { class: "mark" }).text).toBe("S")
    expect(one(html, "span", { class: "mark" }).attributes.get("aria-hidden")).toBe("true")
  })

  test("are drawn for everything that is a form", async () => {
    expect(all(await signIn([mail, password, passkey]), "svg")).toHaveLength(3)
  })
})

describe("an error on the sign-in page", () => {
  const box = async (error: string, code?: string) =>
    one(await signIn([password], { error, code }), "div", { id: "error" })

  test("is announced, and describes the inputs", async () => {
    const html = await signIn([tenant, mail, password], { error: "CredentialsSignin" })
    expect(one(html, "div", { class: "error", role: "alert", id: "error" }).text).not.toBe("")
    expect(all(html, "input", { "aria-describedby": "error" })).toHaveLength(3)
  })

  test("is absent without a code", async () => {
    for (const error of [undefined, ""]) {
      const html = await signIn([password], { error })
      expect(all(html, "div", { role: "alert" })).toEqual([])
      expect(html).not.toContain("aria-describedby")
    }
  })

  const general = "Signing in did not work. Please try again."
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
  ])("%s has a message of its own", async (code) => {
    const { text } = await box(code)
    expect(text).not.toBe(general)
    expect(text).not.toContain(code)
  })

  test("keeps to the general message for any other code", async () => {
    expect((await box("Nonesuch")).text).toBe(general)
  })

  test("is a notice when nothing failed", async () => {
    expect((await box("SessionRequired")).attributes.get("class")).toBe("error notice")
  })

  test("carries the code of a CredentialsSignin, and shows it to nobody", async () => {
    const element = await box("CredentialsSignin", "otp_required")
    expect(element.attributes.get("data-code")).toBe("otp_required")
    expect(element.text).not.toContain("otp_required")
    for (const code of ["call 555-0100", "a".repeat(65), ""]) {
      expect((await box("CredentialsSignin", code)).attributes.has("data-code")).toBe(false)
    }
    expect((await box("Signin", "otp_required")).attributes.has("data-code")).toBe(false)
  })
})

describe("the sign-out page", () => {
  test("asks, and posts the CSRF token and the callback URL", async () => {
    const action = "https://app.example/auth/signout"
    const { html } = await pages.signOut({ csrfToken: "token", action, callbackUrl, user: "Ada" })
    expect(one(html, "h1").text).toBe("Signout")
    expect(one(html, "form", { action, method: "post" }).text).toBe("Sign out")
    one(html, "input", { name: "csrfToken", value: "token" })
    one(html, "input", { name: "callbackUrl", value: callbackUrl })
    expect(one(html, "button", { id: "submitButton" }).text).toBe("Sign out")
    expect(one(html, "strong").text).toBe("Ada")
    one(html, "a", { class: "site", href: callbackUrl })
  })
})

describe("the error page", () => {
  test.each([
    ["Configuration", 500, "Server error", "site"],
    ["AccessDenied", 403, "Access Denied", "button main"],
    ["Verification", 403, "Unable to sign in", "button main"],
    ["TooManyRequests", 429, "Too many attempts", "site"],
    ["Default", 200, "Error", "site"],
    [undefined, 200, "Error", "site"],
  ])("answers %s with %i", async (error, status, heading, link) => {
    const page = await pages.error({ error, ...urls })
    expect(page.status).toBe(status)
    expect(one(page.html, "h1").text).toBe(heading)
    const anchor = one(page.html, "a", { class: link })
    const isSite = link === "site"
    expect(anchor.text).toBe(isSite ? "app.example" : "Sign in")
    expect(anchor.attributes.get("href")).toBe(isSite ? urls.homeUrl : urls.signInUrl)
  })
})

describe("the pages of the e-mail link", () => {
  test("say to look at the mail", async () => {
    const { html } = await pages.verifyRequest(urls)
    expect(one(html, "h1").text).toBe("Check your email")
    expect(one(html, "a", { class: "site", href: urls.homeUrl }).text).toBe("app.example")
  })

  test("use a link only when its button is pressed", async () => {
    const action = "https://app.example/auth/callback/nodemailer?token=t&email=ada%40example.com"
    const { homeUrl } = urls
    const page = await pages.confirm({ action, csrfToken: "c", email: "ada@example.com", homeUrl })
    one(page.html, "form", { action, method: "post" })
    one(page.html, "input", { name: "csrfToken", value: "c" })
    const button = one(page.html, "button", { id: "submitButton", type: "submit" })
    expect(button.text).toBe("Continue as ada@example.com")
    expect(all(page.html, "a", { href: action })).toEqual([])
  })
})
