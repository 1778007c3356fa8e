import type { NodemailerOptions } from "@latchkey/core/providers/nodemailer"
import { createSignInEmail } from "@latchkey/core/sign-in-email"
import type { Language, Theme } from "@latchkey/core/types"
import german from "@latchkey/pages/languages/de"
import english from "@latchkey/pages/languages/en"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { findElement, findElements, parseHtml } from "../support/html-parser.ts"

/** Requests a link and returns the e-mail that a mail server received, with its HTML as browsers read it. */
async function receiveMail(
  theme: Theme = {},
  options: Partial<NodemailerOptions> = {},
  fields: Record<string, string> = {},
  hasCode = false,
) {
  const app = await createEmailApp({ theme }, options, hasCode)
  const link = await app.receiveLink(app.openBrowser(), "ada@example.com", fields)
  const [mail] = app.inbox.messages
  const html = mail?.html ?? ""
  return {
    link,
    code: mail?.code,
    subject: mail?.subject,
    text: mail?.text ?? "",
    html,
    page: readHtml(html),
  }
}

const minutes = { style: "unit", unit: "minute", unitDisplay: "long" } as const

/** Removes the comments that only Outlook reads. */
const readHtml = (html: string) => html.replace(/<!--\[if mso\]>.*?<!\[endif\]-->/gs, "").trim()
const readText = (page: string) => findElement(page, "body").text

test("names the application by its host, or by the name of the theme", async () => {
  const unnamed = await receiveMail()
  expect(unnamed.subject).toBe("Sign in to app.example")
  const named = await receiveMail({ name: "Zoë & Söhne" })
  expect(named.subject).toBe("Sign in to Zoë & Söhne")
  expect(named.text).toContain("Sign in to Zoë & Söhne\n")
  expect(findElement(named.page, "h1").text).toBe("Sign in to Zoë & Söhne")
  expect(named.page).not.toContain("app.example</")
})

test("is in the language of the browser that requested it, for all ways to send", async () => {
  const languages: unknown[] = []
  const settings = { languages: [english, german] }
  const app = await createEmailApp(settings)
  const own = await createEmailApp(settings, {
    sendVerificationRequest: ({ language }) => void languages.push(language?.tag),
  })
  const headers = { "accept-language": "de-CH,de;q=0.9,en;q=0.5" }
  await app.requestLink(app.openBrowser({ headers }))
  await own.requestLink(own.openBrowser({ headers }))
  expect(languages).toEqual(["de"])
  const [mail] = app.inbox.messages
  expect(mail?.subject).toBe("Bei app.example anmelden")
  expect(mail?.text).toContain("24 Stunden")
  expect(findElements(readHtml(mail?.html ?? ""), "a")[0]?.text).toBe("Anmelden")
})

test("has the link as a button, as text to copy, and in the plain text", async () => {
  const { link, text, page } = await receiveMail()
  const links = findElements(page, "a")
  expect(links.map(({ attributes }) => attributes.get("href"))).toEqual([link.href, link.href])
  expect(links.map((element) => element.text)).toEqual(["Sign in", link.href])
  expect(text).toContain(`\n${link.href}\n`)
})

test("tells people who did not request it what to do", async () => {
  const { text, page } = await receiveMail()
  for (const part of [text, readText(page)])
    expect(part).toContain("If you did not ask to sign in, you can ignore this email.")
})

test.each([
  [30, "1 minute"],
  [600, "10 minutes"],
  [3600, "1 hour"],
  [5400, "90 minutes"],
  [7200, "2 hours"],
  [86_400, "24 hours"],
  [100_000, "27 hours"],
  [7 * 86_400, "7 days"],
])("says how long a link of %i seconds is valid: %s", async (maxAge, duration) => {
  const { text, page } = await receiveMail({}, { maxAge })
  const sentence = `The link works once and expires in ${duration}.`
  expect(text).toContain(sentence)
  // The first text is the preview in the list of messages.
  expect(readText(page)).toMatch(new RegExp(`^${sentence} Sign in to .*${sentence}`))
})

test("escapes the link, and writes no host that mail clients turn into a link", async () => {
  const callbackUrl = "/a?b=\"><img src=x onerror='alert(1)'>&c"
  const { html, page, link } = await receiveMail({}, {}, { callbackUrl })
  expect(findElements(page, "a")[0]?.attributes.get("href")).toBe(link.href)
  expect(html).not.toMatch(/<(?:img|script)|onerror='/)
  expect(findElement(page, "h1").text).toBe("Sign in to app\u200B.example")
})

test("loads nothing, is smaller than 12 KB, and has neither scripts nor forms", async () => {
  const { html, page, link } = await receiveMail({ logo: "/logo.svg" }, {}, {}, true)
  expect(Buffer.byteLength(html)).toBeLessThan(12_288)
  const origins = html.match(/https?:\/\/[^/"<]+/g) ?? []
  expect(new Set(origins)).toEqual(new Set([link.origin]))
  const tags = new Set(parseHtml(page).map(({ tag }) => tag))
  for (const tag of ["img", "link", "script", "form", "iframe", "input"])
    expect(tags).not.toContain(tag)
})

describe("the logo", () => {
  test("is shown from an https URL, with the name instead where images are off", async () => {
    const logo = "https://cdn.example/logo.png?a=1&b=2"
    const { page } = await receiveMail({ logo, name: "Fernway" })
    const { attributes } = findElement(page, "img")
    expect([attributes.get("src"), attributes.get("alt")]).toEqual([logo, "Fernway"])
  })

  test.each([
    "/logo.png",
    "http://cdn.example/logo.png",
    "data:image/png;base64,AAAA",
    "https://cdn.example/logo.svg",
    "javascript:alert(1)",
  ])("is left out if mail clients cannot show it: %s", async (logo) => {
    const { page } = await receiveMail({ logo })
    expect(findElements(page, "img")).toEqual([])
  })
})

describe("the code", () => {
  test("is in the text and the HTML in one piece, with its lifetime and a warning", async () => {
    const { code, text, page } = await receiveMail({ name: "Fernway" }, {}, {}, true)
    expect(code).toMatch(/^\d{6}$/)
    expect(text).toContain(`\n${code}\n`)
    const piece = findElements(page, "span", { dir: "ltr" }).find((span) => span.text === code)
    expect(piece?.attributes.get("style")).toContain("user-select:all")
    for (const part of [text, readText(page)]) {
      expect(part).toContain("If you started to sign in on another device")
      expect(part).toContain("The code expires in 10 minutes.")
      expect(part).toContain("nobody from Fernway will ask you for it.")
    }
  })

  test("is not valid for longer than its link", async () => {
    const { text } = await receiveMail({}, { maxAge: 120 }, {}, true)
    expect(text).toContain("The code expires in 2 minutes.")
  })

  test("is not mentioned in an e-mail without one", async () => {
    const { text, page, code } = await receiveMail()
    expect(code).toBeUndefined()
    for (const part of [text, readText(page)]) expect(part).not.toMatch(/\bcode\b/)
  })

  test("is escaped, whatever it is", () => {
    const url = "https://app.example/auth/callback/nodemailer?token=t"
    const code = "<b><i>"
    const { html } = createSignInEmail({ url, expires: new Date(), theme: {}, code })
    expect(html).not.toMatch(/<[bi]>/)
  })
})

/** Returns the inline declarations of the cell of the button and of the link in it. */
function readButton(page: string): string {
  const cell = findElement(page, "td", { class: "button" }).attributes.get("style")
  return `${cell};${findElements(page, "a")[0]?.attributes.get("style")}`
}

describe("the colours", () => {
  test("are inline, and dark ones are in a rule for clients in dark mode", async () => {
    const { page } = await receiveMail()
    const style = findElement(page, "style").text
    expect(style).toContain(":root{color-scheme:light dark;supported-color-schemes:light dark}")
    expect(style).toContain("@media(prefers-color-scheme:dark){.canvas{background-color:#0d0d10")
    expect(readButton(page)).toMatch(/background-color:#1f1f25;.*[; ]color:#ffffff/)
    expect(page).not.toContain("undefined")
  })

  test.each(["light", "dark"] as const)("of a theme that is %s have no rule", async (scheme) => {
    const { page } = await receiveMail({ colorScheme: scheme })
    expect(findElement(page, "style").text).not.toContain("prefers-color-scheme")
    const meta = findElement(page, "meta", { name: "color-scheme" })
    expect(meta.attributes.get("content")).toBe(scheme)
    const canvas = scheme === "dark" ? "#0d0d10" : "#f6f6f7"
    expect(findElement(page, "body").attributes.get("style")).toContain(canvas)
  })

  test.each([
    ["#2f5bd8", undefined, "#2f5bd8", "#ffffff"],
    ["#2f5bd8", "#eef", "#2f5bd8", "#eeeeff"],
    ["#ffd400", "#ffffff", "#8d7400", "#ffffff"],
    ["rebeccapurple", undefined, "rebeccapurple", "#ffffff"],
    ["oklch(0.6 0.2 20)", undefined, "#1f1f25", "#ffffff"],
    ['red" onclick="alert(1)', undefined, "#1f1f25", "#ffffff"],
    [undefined, "red;display:none", "#1f1f25", "#ffffff"],
  ])("of the button %s with the text %s are %s and %s", async (brand, text, button, label) => {
    const { page } = await receiveMail({
      ...(brand !== undefined && { brandColor: brand }),
      ...(text !== undefined && { buttonText: text }),
    })
    const declarations = readButton(page).split(";")
    expect(declarations).toContain(`background-color:${button}`)
    expect(declarations).toContain(`color:${label}`)
  })
})

describe("`createSignInEmail`", () => {
  test("creates the same e-mail in an application's own `sendVerificationRequest`", async () => {
    const sent: ReturnType<typeof createSignInEmail>[] = []
    const theme = { name: "Fernway", brandColor: "#2f5bd8" }
    const app = await createEmailApp(
      { theme },
      {
        sendsCode: true,
        sendVerificationRequest: (request) => void sent.push(createSignInEmail(request)),
      },
      true,
    )
    await app.requestLink(app.openBrowser())
    const builtIn = await receiveMail(theme, {}, {}, true)
    const mask = (text = "") =>
      text
        .replace(/token=\w+/g, "")
        .replace(/\b\d{6}\b/g, "")
        .replace(/>\d{3}</g, "><")
        .replaceAll("\r\n", "\n")
        .trim()
    expect(sent.map(({ subject }) => subject)).toEqual([builtIn.subject])
    expect(mask(sent[0]?.text)).toBe(mask(builtIn.text))
    expect(mask(sent[0]?.html)).toBe(mask(builtIn.html))
  })

  test("writes a text from right to left in the visitor's language", () => {
    const language: Language = {
      tag: "ar",
      direction: "rtl",
      messages: { ...english.messages, signInEmailSubject: "تسجيل الدخول إلى {app}" },
    }
    const url = "https://app.example/auth/callback/nodemailer?token=t"
    const expires = new Date(Date.now() + 600_000)
    const email = createSignInEmail({ url, expires, theme: { name: "Fernway" }, language })
    expect(email.subject).toBe("تسجيل الدخول إلى Fernway")
    expect(email.text).toContain(new Intl.NumberFormat("ar", minutes).format(10))
    const page = readHtml(email.html)
    for (const tag of ["html", "div"]) {
      const { attributes } = findElements(page, tag)[0] ?? {}
      expect([attributes?.get("lang"), attributes?.get("dir")]).toEqual(["ar", "rtl"])
    }
    expect(findElements(page, "td", { align: "left" })).toEqual([])
    expect(findElement(page, "bdi").text).toBe("Fernway")
    expect(findElement(page, "span", { dir: "ltr" }).text).toBe(url)
  })

  test("keeps a name in one line of the subject", () => {
    const url = "https://app.example/auth/callback/nodemailer?token=t"
    const theme = { name: "A\r\nBcc: eve@evil.example\u2028B" }
    const { subject } = createSignInEmail({ url, expires: new Date(), theme })
    expect(subject).toBe("Sign in to A Bcc: eve@evil.example B")
  })
})
