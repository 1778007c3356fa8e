import {
  createMailbox,
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { kyselySetup } from "./support/databases/kysely.ts"
import { authjs, type LibraryImports, latchkey } from "./support/library-imports.ts"
import { createNotebookApp } from "./support/notebook-app.ts"
import { ada, type SessionStrategy } from "./support/test-application.ts"

interface RecordedRun {
  /** The responses that the browser received, step by step. */
  readonly seen: Record<string, unknown>
  readonly journal: string[]
}

/** Runs the same steps in the application on one library. */
async function runScenario(
  library: LibraryImports,
  strategy: SessionStrategy,
): Promise<RecordedRun> {
  const database = await kyselySetup.openDatabase()
  const testMailbox = await createMailbox()
  onTestFinished(async () => {
    await testMailbox.close()
    await database[Symbol.asyncDispose]()
  })
  const work = await createScriptedProvider({
    id: "work",
    issuer: "https://work.example",
    user: ada,
  })
  const club = await createScriptedProvider({
    id: "club",
    issuer: "https://club.example",
    user: ada,
  })
  const journal: string[] = []
  const services = {
    work,
    club,
    adapter: database.adapter,
    mail: testMailbox.server,
    strategy,
    journal,
  }
  const app = createNotebookApp(library, services)
  const testBrowser = createTestBrowser(app, { basePath: "/api/auth" })
  const seen: RecordedRun["seen"] = {}
  const recordResponse = async (step: string, response: Response) => {
    const location = withoutCallbackUrl(response.headers.get("location"))
    seen[step] = [response.status, location ?? (await response.text())]
    journal.push(`-- ${step}`)
  }
  const recordSession = async (step: string) => {
    const { expires, ...rest } = (await testBrowser.getSession()) ?? {}
    seen[step] = { ...rest, expires: /^\d{4}-.*Z$/.test(String(expires)) }
  }
  const signInWith = async (provider: ScriptedProvider, fields = {}) =>
    testBrowser.open(provider.approve(await testBrowser.startSignIn(provider, fields)))

  await recordResponse("providers", await testBrowser.fetch("/api/auth/providers"))
  await recordResponse("nobody", await testBrowser.fetch("/api/auth/session"))
  await recordResponse("sign-in page", await testBrowser.open("/api/auth/signin?callbackUrl=/home"))
  await recordResponse("first sign-in", await signInWith(work, { callbackUrl: "/home" }))
  seen["session cookie"] = testBrowser.setCookieHeaders
    .filter((line) => /^notebook=./.test(line))
    .map(describeCookie)
  await recordSession("signed in")
  seen["standing cookies"] = testBrowser.cookies.names
    .filter((name) => !/state|pkce|nonce/.test(name))
    // Applies an intentional difference: the names of our cookies follow that of the session cookie.
    .map((name) => name.replace("authjs.notebook.", "authjs."))
    .sort()
  await recordResponse(
    "update",
    await withoutExpiry(await testBrowser.updateSession({ shelf: "top" })),
  )
  await recordSession("updated")
  await recordResponse("sign-out page", await testBrowser.open("/api/auth/signout"))
  await recordResponse("sign-out", await testBrowser.signOut({ callbackUrl: "/home" }))
  await recordResponse("signed out", await testBrowser.fetch("/api/auth/session"))
  await recordResponse("second sign-in", await signInWith(work, { callbackUrl: "/notes?page=2" }))
  await testBrowser.signOut()
  await recordResponse("same address elsewhere", await signInWith(club))
  work.setUser({ ...ada, sub: "banned", email: "banned@example.com" })
  await recordResponse("banned", await signInWith(work))
  work.setUser({ ...ada, sub: "waiting", email: "waiting@example.com" })
  await recordResponse("waiting", await signInWith(work))
  await recordResponse(
    "refused there",
    await testBrowser.open(work.deny(await testBrowser.startSignIn(work))),
  )
  await recordResponse(
    "mail asked for",
    await testBrowser.signIn("nodemailer", { email: "Ada@Example.com" }),
  )
  await testMailbox.waitForMail()
  await recordResponse("mail link", await testBrowser.open(new URL(testMailbox.getLatestLink())))
  await recordSession("signed in by mail")
  await testBrowser.signOut()
  await recordResponse("mail link again", await testBrowser.open(testMailbox.getLatestLink()))
  await recordResponse("unknown", await testBrowser.fetch("/api/auth/else"))
  await recordResponse(
    "forged",
    await testBrowser.post("/api/auth/signin/work", { csrfToken: "forged" }),
  )
  await recordResponse("told, not sent", await requestRedirectUrl(testBrowser))
  if (strategy === "jwt") await tryPasswords(testBrowser, recordResponse, recordSession)
  expect(testBrowser.cookies.rejected).toEqual([])
  return { seen, journal }
}

async function tryPasswords(
  browser: TestBrowser,
  recordResponse: (step: string, response: Response) => Promise<void>,
  recordSession: (step: string) => Promise<void>,
): Promise<void> {
  const fields = { name: "ada", password: "open sesame", callbackUrl: "/notes" }
  const send = async (changes = {}) => browser.signIn("credentials", { ...fields, ...changes })
  await recordResponse("wrong password", await send({ password: "guess" }))
  await recordResponse("unknown person", await send({ name: "eve" }))
  await recordResponse("right password", await send())
  await recordSession("signed in by password")
}

/** Requests the redirect URL as JSON, as the client of a page does. */
async function requestRedirectUrl(browser: TestBrowser): Promise<Response> {
  const headers = { "x-auth-return-redirect": "1", "content-type": "application/json" }
  const body = JSON.stringify({ csrfToken: await browser.getCsrfToken(), callbackUrl: "/home" })
  const options = { method: "POST", headers, body }
  const response = await browser.fetch("/api/auth/signin/work", options)
  const { url } = (await response.json()) as { url: string }
  const { origin, pathname, searchParams } = new URL(url)
  const requestParameters = ["client_id", "redirect_uri", "response_type", "scope"]
  const parameters = requestParameters.map((name) => `${name}=${searchParams.get(name)}`)
  return new Response(`${origin}${pathname} ${parameters.join(" ")}`, { status: response.status })
}

/** Returns a cookie without its value and its expiry. */
function describeCookie(line: string): string {
  return line.replace(/=[^;]*/, "=…").replace(/Expires=[^;]*/, "Expires=…")
}

async function withoutExpiry(response: Response): Promise<Response> {
  const { expires: _, ...recordSession } = (await response.json()) as Record<string, unknown>
  return Response.json(recordSession, { status: response.status })
}

/** Applies an intentional difference: a custom sign-in page also receives `callbackUrl` after a failure. */
function withoutCallbackUrl(location: string | null): string | null {
  if (!location?.includes("/login?error=")) return location
  const url = new URL(location)
  url.searchParams.delete("callbackUrl")
  return url.href
}

/** Applies the other intentional difference: the `session` callback receives updates with either strategy. */
function addUpdateParameters(line: string, index: number, journal: readonly string[]): string {
  const isUpdate = line === "session " && journal[index + 1] === "-- update"
  return isUpdate ? "session newSession() trigger=update" : line
}

describe.each(["jwt", "database"] as const)(
  "an application that migrates, %s sessions",
  (strategy) => {
    test("behaves as before: redirects, sessions, callbacks and events", async () => {
      const before = await runScenario(authjs, strategy)
      const after = await runScenario(latchkey, strategy)
      expect(after.seen).toEqual(before.seen)
      expect(after.journal).toEqual(before.journal.map(addUpdateParameters))
    })
  },
)
