import {
  type Browser,
  browser,
  mailbox,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { kysely } from "./support/databases/kysely.ts"
import { ada, type Strategy } from "./support/house.ts"
import { type Imports, latchkey, reference } from "./support/library.ts"
import { notebook } from "./support/notebook.ts"

interface Life {
  /** What the browser saw, step by step. */
  readonly seen: Record<string, unknown>
  readonly journal: string[]
}

/** The same life, lived in the application on one library. */
async function lived(library: Imports, strategy: Strategy): Promise<Life> {
  const opened = await kysely.open()
  const box = await mailbox()
  onTestFinished(async () => {
    await box.close()
    await opened[Symbol.asyncDispose]()
  })
  const work = await scriptedProvider({ id: "work", issuer: "https://work.example", user: ada })
  const club = await scriptedProvider({ id: "club", issuer: "https://club.example", user: ada })
  const journal: string[] = []
  const surroundings = { work, club, adapter: opened.adapter, mail: box.server, strategy, journal }
  const app = notebook(library, surroundings)
  const visitor = browser(app, { basePath: "/api/auth" })
  const seen: Life["seen"] = {}
  const look = async (step: string, response: Response) => {
    seen[step] = [response.status, response.headers.get("location") ?? (await response.text())]
    journal.push(`-- ${step}`)
  }
  const session = async (step: string) => {
    const { expires, ...rest } = (await visitor.session()) ?? {}
    seen[step] = { ...rest, expires: /^\d{4}-.*Z$/.test(String(expires)) }
  }
  const through = async (provider: ScriptedProvider, fields = {}) =>
    visitor.open(provider.approve(await visitor.begin(provider, fields)))

  await look("providers", await visitor.fetch("/api/auth/providers"))
  await look("nobody", await visitor.fetch("/api/auth/session"))
  await look("sign-in page", await visitor.open("/api/auth/signin?callbackUrl=/home"))
  await look("first sign-in", await through(work, { callbackUrl: "/home" }))
  seen["session cookie"] = visitor.setCookies.filter((line) => /^notebook=./.test(line)).map(shape)
  await session("signed in")
  seen["standing cookies"] = visitor.cookies.names
    .filter((name) => !/state|pkce|nonce/.test(name))
    .sort()
  await look("update", await withoutExpiry(await visitor.update({ shelf: "top" })))
  await session("updated")
  await look("sign-out page", await visitor.open("/api/auth/signout"))
  await look("sign-out", await visitor.signOut({ callbackUrl: "/home" }))
  await look("signed out", await visitor.fetch("/api/auth/session"))
  await look("second sign-in", await through(work, { callbackUrl: "/notes?page=2" }))
  await visitor.signOut()
  await look("same address elsewhere", await through(club))
  work.user({ ...ada, sub: "banned", email: "banned@example.com" })
  await look("banned", await through(work))
  work.user({ ...ada, sub: "waiting", email: "waiting@example.com" })
  await look("waiting", await through(work))
  await look("refused there", await visitor.open(work.deny(await visitor.begin(work))))
  await look("mail asked for", await visitor.signIn("nodemailer", { email: "Ada@Example.com" }))
  await box.next()
  await look("mail link", await visitor.open(new URL(box.latestLink())))
  await session("signed in by mail")
  await visitor.signOut()
  await look(
    "mail link again",
    await browser(app, { basePath: "/api/auth" }).open(box.latestLink()),
  )
  await look("unknown", await visitor.fetch("/api/auth/else"))
  await look("forged", await visitor.post("/api/auth/signin/work", { csrfToken: "forged" }))
  await look("told, not sent", await told(visitor))
  if (strategy === "jwt") await passwords(visitor, look, session)
  expect(visitor.cookies.rejected).toEqual([])
  return { seen, journal }
}

async function passwords(
  visitor: Browser,
  look: (step: string, response: Response) => Promise<void>,
  session: (step: string) => Promise<void>,
): Promise<void> {
  const fields = { name: "ada", password: "open sesame", callbackUrl: "/notes" }
  const send = async (changes = {}) => visitor.signIn("credentials", { ...fields, ...changes })
  await look("wrong password", await send({ password: "guess" }))
  await look("unknown person", await send({ name: "eve" }))
  await look("right password", await send())
  await session("signed in by password")
}

/** As the client of a page asks, which goes on by itself. */
async function told(visitor: Browser): Promise<Response> {
  const headers = { "x-auth-return-redirect": "1", "content-type": "application/json" }
  const body = JSON.stringify({ csrfToken: await visitor.csrf(), callbackUrl: "/home" })
  const options = { method: "POST", headers, body }
  const answer = await visitor.fetch("/api/auth/signin/work", options)
  const { url } = (await answer.json()) as { url: string }
  const { origin, pathname, searchParams } = new URL(url)
  const asked = ["client_id", "redirect_uri", "response_type", "scope"]
  const parameters = asked.map((name) => `${name}=${searchParams.get(name)}`)
  return new Response(`${origin}${pathname} ${parameters.join(" ")}`, { status: answer.status })
}

/** A cookie without its value and its date. */
function shape(line: string): string {
  return line.replace(/=[^;]*/, "=…").replace(/Expires=[^;]*/, "Expires=…")
}

async function withoutExpiry(response: Response): Promise<Response> {
  const { expires: _, ...session } = (await response.json()) as Record<string, unknown>
  return Response.json(session, { status: response.status })
}

/** The one difference, which is on purpose: the `session` callback learns of an update with either strategy. */
function knownAlways(line: string, at: number, journal: readonly string[]): string {
  const isUpdate = line === "session " && journal[at + 1] === "-- update"
  return isUpdate ? "session newSession() trigger=update" : line
}

describe.each(["jwt", "database"] as const)(
  "an application that moves, %s sessions",
  (strategy) => {
    test("behaves as it did: redirects, sessions, and what its callbacks and events are told", async () => {
      const before = await lived(reference, strategy)
      const after = await lived(latchkey, strategy)
      expect(after.seen).toEqual(before.seen)
      expect(after.journal).toEqual(before.journal.map(knownAlways))
    })
  },
)
