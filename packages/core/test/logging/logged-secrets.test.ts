/** Security case 133: whatever is done and whatever breaks, no secret is in any log line of any level. */
import { inspect } from "node:util"
import type { AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { createMailbox, createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { createTestApp, testAppSecret } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const password = 'correct horse, "battery" & ståple%20'

/** What fails, and says all that it knows. */
type LeakReporter = (part: string, ...knowledge: unknown[]) => void

/** An application whose parts pass everything they receive to `tell`, which may throw. */
async function createLeakyApp(reportLeak: LeakReporter, strategy: "database" | "jwt") {
  const provider = await createScriptedProvider({ id: "work" })
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const links: string[] = []
  const database = await createTestDatabase()
  await database.createUser({ id: "carl", email: "carl@example.com" })
  const adapter = Object.fromEntries(
    Object.entries(database.adapter).map(([name, method]) => [
      name,
      (...parameters: never[]) => {
        reportLeak(name, ...parameters)
        return (method as (...parameters: never[]) => unknown)(...parameters)
      },
    ]),
  )
  const mail = nodemailer({ server: inbox.server, from: "hello@app.example" })
  const hook = <Parameters, T>(name: string, result: (reported: Parameters) => T) => {
    return (reported: Parameters): T => {
      reportLeak(name, reported)
      return result(reported)
    }
  }
  const callbacks: AuthConfig["callbacks"] = {
    signIn: hook("signIn", () => true),
    jwt: hook("jwt", ({ token }) => token),
    session: hook("session", ({ session }) => session),
  }
  const app = createTestApp({
    adapter,
    session: { strategy },
    debug: true,
    providers: [
      provider.asOidc({
        profile: (claims: { sub: string; email: string }, tokens: unknown) => {
          reportLeak("profile", claims, tokens)
          return { id: claims.sub, email: claims.email }
        },
      }),
      {
        ...mail,
        sendsCode: true,
        async sendVerificationRequest(request) {
          links.push(request.url)
          reportLeak("mailer", request.url, request.token, request)
          await mail.sendVerificationRequest(request)
        },
      },
      credentials({
        authorize(fields) {
          reportLeak("authorize", fields)
          return { id: "carl" }
        },
      }),
    ],
    callbacks,
    events: {
      signIn: hook("E signIn", () => undefined),
      linkAccount: hook("E linkAccount", () => undefined),
      session: hook("E session", () => undefined),
      signOut: hook("E signOut", () => undefined),
    },
  })
  return { ...database, ...app, provider, links }
}

type LeakyApp = Awaited<ReturnType<typeof createLeakyApp>>

/** Uses every flow; returns the secrets of the browsers. */
async function useEveryFlow(app: LeakyApp): Promise<string[]> {
  const secrets = new Set<string>()
  const note = (browser: TestBrowser) => {
    for (const line of browser.setCookieHeaders) {
      const value = decodeURIComponent(line.slice(line.indexOf("=") + 1).split(";", 1)[0] ?? "")
      const isProvider = line.startsWith("__Host-authjs.last-provider=")
      if (value !== "" && !value.startsWith("https:") && !isProvider)
        for (const part of value.split("|")) secrets.add(part)
    }
  }
  const carl = app.openBrowser()
  const ways = [
    async (browser: TestBrowser) => {
      const url = await browser.startSignIn(app.provider).catch(() => undefined)
      note(browser)
      if (!url) return
      for (const name of ["state", "nonce", "code_challenge"]) {
        const value = url.searchParams.get(name)
        if (value) secrets.add(value)
      }
      await browser.open(app.provider.approve(url))
    },
    async (browser: TestBrowser) => {
      await browser.signIn("nodemailer", { email: "ada@example.com" })
      const link = app.links.at(-1)
      if (link) await browser.open(link)
    },
    (browser: TestBrowser) => browser.signIn("credentials", { name: "carl", password }),
  ]
  for (const way of ways) {
    await way(carl)
    note(carl)
    await carl.fetch("/auth/session")
    note(carl)
    await carl.updateSession({ apiToken: "update-secret-Z9-0123456789abcdef" })
    note(carl)
    await carl.signOut()
    secrets.add(await carl.getCsrfToken())
  }
  const verifiers = app.provider.tokenRequests.map(({ body }) => body.get("code_verifier") ?? "")
  const tokens = app.links.map((link) => new URL(link).searchParams.get("token") ?? "")
  const rows = [...app.rows("Session"), ...app.rows("VerificationToken")]
  const stored = rows.flatMap(({ sessionToken, token }) => [sessionToken, token])
  const others = [password, testAppSecret, "update-secret-Z9-0123456789abcdef"]
  const all = [...secrets, ...verifiers, ...tokens, ...stored, ...app.provider.secrets, ...others]
  return [...new Set(all)].filter(
    (secret): secret is string => typeof secret === "string" && secret !== "",
  )
}

function findLeakedSecrets(app: LeakyApp, secrets: readonly string[]): string[] {
  const log = app.log.toText()
  const spellings = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    String(new URLSearchParams({ s: secret })).slice(2),
  ]
  return secrets.filter((secret) => spellings(secret).some((spelling) => log.includes(spelling)))
}

describe.each(["database", "jwt"] as const)("the log contains no secret (%s)", (strategy) => {
  test("if everything succeeds, with `debug`", async () => {
    const app = await createLeakyApp(() => undefined, strategy)
    const secrets = await useEveryFlow(app)
    expect(secrets.length).toBeGreaterThan(15)
    expect(app.log.lines.filter(({ level }) => level === "debug").length).toBeGreaterThan(5)
    expect(findLeakedSecrets(app, secrets)).toEqual([])
  })

  const parts = [
    "getUserByAccount",
    "getUserByEmail",
    "createUser",
    "linkAccount",
    "createSession",
    "getSessionAndUser",
    "deleteSession",
    "createVerificationToken",
    "useVerificationToken",
    "signIn",
    "jwt",
    "session",
    "profile",
    "mailer",
    "authorize",
    "E signIn",
    "E linkAccount",
    "E session",
    "E signOut",
  ]

  test.each(parts)(
    "if %s fails with an error that contains everything it received",
    async (failing) => {
      const tell: LeakReporter = (part, ...knowledge) => {
        if (part !== failing) return
        const text = `${inspect(knowledge, { depth: 9 })} ${JSON.stringify(knowledge)}`
        const cause = new Error(text, { cause: { knowledge } })
        throw Object.assign(new Error(text, { cause }), {
          query: text,
          parameters: knowledge,
          knowledge,
        })
      }
      const app = await createLeakyApp(tell, strategy)
      expect(findLeakedSecrets(app, await useEveryFlow(app))).toEqual([])
    },
  )
})
