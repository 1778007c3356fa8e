/** Security case 133: whatever is done and whatever breaks, no secret is in any log line of any level. */
import { inspect } from "node:util"
import type { AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { type Browser, mailbox, scriptedProvider } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { application, applicationSecret } from "../support/application.ts"
import { world } from "../support/world.ts"

const password = 'correct horse, "battery" & ståple%20'

/** What fails, and says all that it knows. */
type Teller = (part: string, ...knowledge: unknown[]) => void

/** An application whose every part hands what it was told to `tell`, which may throw. */
async function office(tell: Teller, strategy: "database" | "jwt") {
  const provider = await scriptedProvider({ id: "work" })
  const box = await mailbox()
  onTestFinished(() => box.close())
  const links: string[] = []
  const stored = await world()
  await stored.user({ id: "carl", email: "carl@example.com" })
  const adapter = Object.fromEntries(
    Object.entries(stored.adapter).map(([name, method]) => [
      name,
      (...parameters: never[]) => {
        tell(name, ...parameters)
        return (method as (...parameters: never[]) => unknown)(...parameters)
      },
    ]),
  )
  const mail = nodemailer({ server: box.server, from: "hello@app.example" })
  const hook = <Parameters, T>(name: string, result: (told: Parameters) => T) => {
    return (told: Parameters): T => {
      tell(name, told)
      return result(told)
    }
  }
  const callbacks: AuthConfig["callbacks"] = {
    signIn: hook("signIn", () => true),
    jwt: hook("jwt", ({ token }) => token),
    session: hook("session", ({ session }) => session),
  }
  const served = application({
    adapter,
    session: { strategy },
    debug: true,
    providers: [
      provider.asOidc({
        profile: (claims: { sub: string; email: string }, tokens: unknown) => {
          tell("profile", claims, tokens)
          return { id: claims.sub, email: claims.email }
        },
      }),
      {
        ...mail,
        async sendVerificationRequest(request) {
          links.push(request.url)
          tell("mailer", request.url, request.token, request)
          await mail.sendVerificationRequest(request)
        },
      },
      credentials({
        authorize(fields) {
          tell("authorize", fields)
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
  return { ...stored, ...served, provider, links }
}

type Office = Awaited<ReturnType<typeof office>>

/** Does what people do, by every way in; gives the secrets of their browsers. */
async function day(at: Office): Promise<string[]> {
  const secrets = new Set<string>()
  const note = (who: Browser) => {
    for (const line of who.setCookies) {
      const value = decodeURIComponent(line.slice(line.indexOf("=") + 1).split(";", 1)[0] ?? "")
      if (value !== "" && !value.startsWith("https:"))
        for (const part of value.split("|")) secrets.add(part)
    }
  }
  const carl = at.visitor()
  const ways = [
    async (who: Browser) => {
      const url = await who.begin(at.provider).catch(() => undefined)
      note(who)
      if (!url) return
      for (const name of ["state", "nonce", "code_challenge"]) {
        const value = url.searchParams.get(name)
        if (value) secrets.add(value)
      }
      await who.open(at.provider.approve(url))
    },
    async (who: Browser) => {
      await who.signIn("nodemailer", { email: "ada@example.com" })
      const link = at.links.at(-1)
      if (link) await who.open(link)
    },
    (who: Browser) => who.signIn("credentials", { name: "carl", password }),
  ]
  for (const way of ways) {
    await way(carl)
    note(carl)
    await carl.fetch("/auth/session")
    note(carl)
    await carl.update({ apiToken: "update-secret-Z9-0123456789abcdef" })
    note(carl)
    await carl.signOut()
    secrets.add(await carl.csrf())
  }
  const verifiers = at.provider.tokenRequests.map(({ body }) => body.get("code_verifier") ?? "")
  const tokens = at.links.map((link) => new URL(link).searchParams.get("token") ?? "")
  const rows = [...at.rows("Session"), ...at.rows("VerificationToken")]
  const stored = rows.flatMap(({ sessionToken, token }) => [sessionToken, token])
  const others = [password, applicationSecret, "update-secret-Z9-0123456789abcdef"]
  const all = [...secrets, ...verifiers, ...tokens, ...stored, ...at.provider.secrets, ...others]
  return [...new Set(all)].filter(
    (secret): secret is string => typeof secret === "string" && secret !== "",
  )
}

function leaked(at: Office, secrets: readonly string[]): string[] {
  const log = at.log.text()
  const spellings = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    String(new URLSearchParams({ s: secret })).slice(2),
  ]
  return secrets.filter((secret) => spellings(secret).some((spelling) => log.includes(spelling)))
}

describe.each(["database", "jwt"] as const)("133 the log holds no secret (%s)", (strategy) => {
  test("when everything works, with `debug`", async () => {
    const at = await office(() => undefined, strategy)
    const secrets = await day(at)
    expect(secrets.length).toBeGreaterThan(15)
    expect(at.log.lines.filter(({ level }) => level === "debug").length).toBeGreaterThan(5)
    expect(leaked(at, secrets)).toEqual([])
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

  test.each(parts)("when %s fails with an error that tells all it knows", async (failing) => {
    const tell: Teller = (part, ...knowledge) => {
      if (part !== failing) return
      const text = `${inspect(knowledge, { depth: 9 })} ${JSON.stringify(knowledge)}`
      const cause = new Error(text, { cause: { knowledge } })
      throw Object.assign(new Error(text, { cause }), {
        query: text,
        parameters: knowledge,
        knowledge,
      })
    }
    const at = await office(tell, strategy)
    expect(leaked(at, await day(at))).toEqual([])
  })
})
