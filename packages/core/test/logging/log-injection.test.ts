import nodemailer from "@latchkey/core/providers/nodemailer"
import { afterEach, describe, expect, test, vi } from "vitest"
import { ada, createAuthorizeApp } from "../support/authorize-app.ts"
import { createLinkingApp } from "../support/linking-app.ts"
import { openLink } from "../support/open-link.ts"

afterEach(() => void vi.restoreAllMocks())

const escapeCode = String.fromCharCode(27)
const forgedLine = "[auth][error] forged"
/** Untrusted text that tries to add a log line or to control the terminal. */
const hostileText = [
  `a\n${forgedLine}`,
  `a\r\n${forgedLine}`,
  `a\r${forgedLine}`,
  `a\u2028${forgedLine}`,
  `a\u2029${forgedLine}`,
  `a\u0085${forgedLine}`,
  `a\u000b${forgedLine}`,
  `${escapeCode}[2J${escapeCode}[31m${forgedLine}`,
  `a\u009b2J${forgedLine}`,
  `a\u0000\u0007\u0008${forgedLine}`,
  `a\u202e${forgedLine}`,
  `a\n    at ${forgedLine} (file.ts:1:1)`,
].join(" ")

const unsafeCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Every text in a log, but for the stacks, whose frames are on lines of their own. */
function collectTexts(value: unknown, name = ""): string[] {
  if (typeof value === "string") return name === "stack" ? value.split("\n") : [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...collectTexts(item, key)])
}

function collectStacks(value: unknown, name = ""): string[] {
  if (typeof value === "string") return name === "stack" ? [value] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => collectStacks(item, key))
}

/** Sends the text wherever a stranger can. */
async function sendHostileText(
  providerId: "credentials" | "work",
  app: ReturnType<typeof createAuthorizeApp>,
) {
  const browser = app.openBrowser()
  const text = encodeURIComponent(hostileText)
  for (const path of [
    `nowhere/${text}`,
    `signin?callbackUrl=${text}&error=${text}`,
    `error?error=${text}`,
    `callback/${text}`,
    `callback/${providerId}?error=${text}&error_description=${text}&code=${text}&state=${text}`,
    `callback/nodemailer?token=${text}&email=${text}`,
    `session?${text}=${text}`,
  ]) {
    await browser.open(`/auth/${path}`)
  }
  const fields = {
    name: hostileText,
    password: hostileText,
    email: hostileText,
    [hostileText]: hostileText,
  }
  await browser.signIn(providerId, fields)
  await browser.signIn("nodemailer", fields)
  const csrfToken = await browser.getCsrfToken()
  await browser.post(`/auth/signin/${providerId}?${text}=${text}`, { csrfToken, ...fields })
  const headers = { "content-type": "application/json", "user-agent": text, referer: text }
  const body = JSON.stringify({ csrfToken, data: { [hostileText]: hostileText } })
  await browser.fetch("/auth/session", { method: "POST", headers, body })
  for (const name of ["__Secure-authjs.session-token", "__Secure-authjs.callback-url", "other"]) {
    await browser.fetch("/auth/session", { headers: { cookie: `${name}=${text}` } })
  }
}

/** Fails with a text of a stranger, though not with one that was typed: that would be redacted. */
function createFailure(word = hostileText.replaceAll("forged", "FORGED")) {
  return () =>
    Promise.reject(Object.assign(new Error(`cannot do ${word}`), { [word]: word, detail: word }))
}

describe("untrusted text", () => {
  test("adds no line and no control characters, whatever is logged", async () => {
    const app = createAuthorizeApp(createFailure(), { debug: true })
    await sendHostileText("credentials", app)
    expect(app.log.toText()).toMatch(/forged/i)
    expect(collectTexts(app.log.lines).filter((text) => unsafeCharacters.test(text))).toEqual([])
    expect(collectStacks(app.log.lines).filter((stack) => /forged/i.test(stack))).toEqual([])
  })

  test("is not logged as a stack frame, even if the message was changed later", async () => {
    const app = createAuthorizeApp(() => {
      const error = new Error("cannot check:\n    at the-password-that-was-typed (file.ts:1:1)")
      const { stack } = error
      return Promise.reject(Object.assign(error, { message: "wrapped", stack }))
    })
    await app.openBrowser().signIn("credentials", { password: "the-password-that-was-typed" })
    expect(collectStacks(app.log.lines).length).toBeGreaterThan(1)
    expect(app.log.toText()).not.toContain("the-password-that-was-typed")
  })

  test("adds no line if a provider, a database or a callback repeats it", async () => {
    const app = await createLinkingApp({ debug: true })
    app.config.providers = [
      ...app.config.providers,
      nodemailer({
        server: "smtp://127.0.0.1:1",
        normalizeIdentifier: createFailure() as unknown as () => string,
      }),
    ]
    app.work.setUser({
      ...ada,
      sub: "ada",
      name: hostileText,
      email: hostileText,
      [hostileText]: hostileText,
    })
    const browser = app.openBrowser()
    const denied = await browser.startSignIn(app.work)
    await browser.open(
      app.work.deny(denied, { error: hostileText, error_description: hostileText }),
    )
    await browser.signIn(app.work)
    app.failMethod("getUserByAccount", {
      error: new Error(hostileText, { cause: new Error(hostileText) }),
    })
    await browser.signIn(app.work)
    await sendHostileText("work", { ...app, authorizeCalls: [] })
    const link = new URL("https://app.example/auth/callback/nodemailer")
    link.search = String(new URLSearchParams({ token: hostileText, email: "ada@example.com" }))
    app.failMethod("useVerificationToken", { error: new Error(hostileText) })
    await openLink(browser, link)
    expect(app.calls).toContain("useVerificationToken")
    expect(app.log.toText()).toMatch(/forged/i)
    expect(collectTexts(app.log.lines).filter((text) => unsafeCharacters.test(text))).toEqual([])
  })

  test("starts no line of the console", async () => {
    const written: string[] = []
    for (const level of ["error", "warn", "log"] as const) {
      vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts.join(" ")))
    }
    const app = createAuthorizeApp(createFailure(), { debug: true, logger: {} })
    await sendHostileText("credentials", app)
    const lines = written.flatMap((text) => text.split(/[\n\r\u2028\u2029\u0085]/))
    expect(written.join()).toMatch(/forged/i)
    expect(lines.filter((line) => /^\s*(?:at )?\[auth\]\[error\] forged/i.test(line))).toEqual([])
    const own = new RegExp(`${escapeCode}\\[(?:31|33|90|0)m`, "g")
    expect(lines.filter((line) => unsafeCharacters.test(line.replace(own, "")))).toEqual([])
  })
})
