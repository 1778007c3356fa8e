/** Sessions of NextAuth.js 4, made by the package itself, in Latchkey. */
import PostgresAdapter from "@auth/pg-adapter"
import { Auth, type AuthConfig } from "@latchkey/core"
import { nextAuth4 } from "@latchkey/core/authjs"
import { createTestBrowser, type FetchHandler } from "@latchkey/testing"
import type { NextAuthOptions } from "next-auth"
import { Pool } from "pg"
import { describe, expect, onTestFinished, test } from "vitest"
import { basePath, createNextAuth4, encode } from "./support/next-auth-4.ts"
import { createPostgresDatabase } from "./support/postgres-database.ts"

const secret = "the one secret of both deployments: 0123456789"
const newerSecret = "a newer secret that only one of them has: 9876"
const origins = ["https://app.example", "http://app.example"]
const getCookieName = (origin: string) =>
  `${origin.startsWith("https") ? "__Secure-" : ""}next-auth.session-token`

/** One origin, whose deployment changes from NextAuth.js to Latchkey. */
function createMove(
  nextAuthOptions: Omit<NextAuthOptions, "secret" | "providers"> & { providers?: unknown[] },
  changes: Partial<Omit<AuthConfig, "raw">> = {},
) {
  const credentials = {
    id: "credentials",
    name: "Credentials",
    type: "credentials",
    credentials: { name: {} },
    authorize: ({ name = "" }) => ({ id: `user-${name}`, name, email: `${name}@example.com` }),
  }
  const options = { providers: [credentials], ...nextAuthOptions, secret } as NextAuthOptions
  const errors: unknown[] = []
  const config = {
    providers: [],
    secret,
    basePath,
    trustHost: true,
    logger: { error: (...line: unknown[]) => void errors.push(line), warn: () => undefined },
    ...changes,
    session: { accept: [nextAuth4], ...changes.session },
  } satisfies Omit<AuthConfig, "raw">
  let app: FetchHandler = createNextAuth4(options)
  return {
    errors,
    openBrowser: (origin = "https://app.example") =>
      createTestBrowser((request) => app(request), { origin, basePath }),
    moveToLatchkey() {
      app = (request) => Auth(request, config)
    },
    moveBack() {
      app = createNextAuth4(options)
    },
  }
}

const listSessionCookies = (browser: { cookies: { names: string[] } }) =>
  browser.cookies.names.filter((name) => name.includes("session-token"))

describe.each(origins)("cookie sessions at %s", (origin) => {
  const oldName = getCookieName(origin)
  const newName = oldName.replace("next-auth", "authjs")

  test("users stay signed in, with what the `jwt` callback stored", async () => {
    const role = {
      callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, role: "admin" }) },
    }
    const move = createMove(role as Pick<NextAuthOptions, "callbacks">, {
      callbacks: { session: ({ session, token }) => ({ ...session, role: token["role"] }) },
    })
    const browser = move.openBrowser(origin)
    await browser.signIn("credentials", { name: "ada" })
    expect(listSessionCookies(browser)).toEqual([oldName])
    const before = (await browser.getSession())?.user
    expect(before).toMatchObject({ name: "ada", email: "ada@example.com" })
    move.moveToLatchkey()
    expect(await browser.getSession()).toMatchObject({ user: before, role: "admin" })
    expect(listSessionCookies(browser)).toEqual([newName])
    expect(await browser.getSession()).toMatchObject({ user: before, role: "admin" })
    expect([browser.cookies.rejected, move.errors]).toEqual([[], []])
  })

  test("chunks are read, and all of them deleted", async () => {
    const picture = "p".repeat(6000)
    const large = { callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, picture }) } }
    const move = createMove(large as Pick<NextAuthOptions, "callbacks">)
    const browser = move.openBrowser(origin)
    await browser.signIn("credentials", { name: "ada" })
    expect(listSessionCookies(browser)).toEqual([0, 1, 2].map((i) => `${oldName}.${i}`))
    move.moveToLatchkey()
    expect((await browser.getSession())?.user?.image).toBe(picture)
    expect(listSessionCookies(browser).every((name) => name.startsWith(newName))).toBe(true)
    await browser.signOut()
    expect(listSessionCookies(browser)).toEqual([])
  })

  test("a sign-out is final, also for a copy of the old cookie", async () => {
    const move = createMove({})
    const browser = move.openBrowser(origin)
    await browser.signIn("credentials", { name: "ada" })
    const token = browser.cookies.get(oldName)?.value
    move.moveToLatchkey()
    await browser.signOut()
    expect(listSessionCookies(browser)).toEqual([])
    const secure = origin.startsWith("https") ? "; Secure" : ""
    browser.cookies.setUnchecked(origin, `${oldName}=${token}; Path=/${secure}`)
    expect(await browser.getSession()).toBeNull()
  })

  test("the secret can be rotated during the move", async () => {
    const move = createMove({}, { secret: [newerSecret, secret] })
    const browser = move.openBrowser(origin)
    await browser.signIn("credentials", { name: "ada" })
    move.moveToLatchkey()
    expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

test("users who return to NextAuth.js before their first access are still signed in there", async () => {
  const move = createMove({})
  const browser = move.openBrowser()
  await browser.signIn("credentials", { name: "ada" })
  move.moveToLatchkey()
  move.moveBack()
  expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
})

test.each<[string, () => Promise<string>]>([
  ["an expired token", () => encode({ token: { sub: "ada" }, secret, maxAge: -60 })],
  ["a token of another secret", () => encode({ token: { sub: "ada" }, secret: newerSecret })],
  [
    "a tampered token",
    async () => (await encode({ token: { sub: "ada" }, secret })).replace(/\.[^.]+$/, ".AAAA"),
  ],
  [
    "the cookie of a pending sign-in",
    () => encode({ token: { value: "state" }, secret, salt: "next-auth.state" }),
  ],
  [
    "the cookie of a pending sign-in before 4.24.5",
    () => encode({ token: { state: "state" }, secret }),
  ],
])("%s signs nobody in", async (_, createToken) => {
  const move = createMove({})
  move.moveToLatchkey()
  const browser = move.openBrowser()
  const name = getCookieName(browser.origin)
  browser.cookies.setUnchecked(browser.origin, `${name}=${await createToken()}; Path=/; Secure`)
  expect(await browser.getSession()).toBeNull()
  expect(listSessionCookies(browser)).toEqual([])
})

/** The tables in the documentation of the adapter. */
const createTables = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token)
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null,
    refresh_token text, access_token text, expires_at bigint, id_token text, scope text,
    session_state text, token_type text
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null
  );
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz,
    image text
  );
`

async function openAdapter() {
  const { url, drop } = await createPostgresDatabase()
  const pool = new Pool({ connectionString: url })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  await pool.query(createTables)
  return { pool, adapter: PostgresAdapter(pool) }
}

function createMailer() {
  const links: string[] = []
  const email = {
    id: "email",
    name: "Email",
    type: "email",
    maxAge: 600,
    sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
  } as const
  return { links, email }
}

test.each(origins)("database sessions at %s keep their row", async (origin) => {
  const { pool, adapter } = await openAdapter()
  const { links, email } = createMailer()
  const nextAuthAdapter = adapter as unknown as NonNullable<NextAuthOptions["adapter"]>
  const move = createMove({ adapter: nextAuthAdapter, providers: [email] }, { adapter })
  const browser = move.openBrowser(origin)
  await browser.signIn("email", { email: "ada@example.com" })
  await browser.open(links.at(-1) ?? "")
  expect(listSessionCookies(browser)).toEqual([getCookieName(origin)])
  const before = await browser.getSession()
  expect(before).toMatchObject({ user: { email: "ada@example.com" } })
  const countRows = async () =>
    (await pool.query(`select "sessionToken", "userId" from sessions`)).rows
  const rows = await countRows()

  move.moveToLatchkey()
  expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
  expect(listSessionCookies(browser)).toEqual([
    getCookieName(origin).replace("next-auth", "authjs"),
  ])
  expect(await countRows()).toEqual(rows)
  await browser.signOut()
  expect(await countRows()).toEqual([])
  expect([browser.cookies.rejected, move.errors]).toEqual([[], []])
})

test("a link by e-mail that NextAuth.js sent signs in, in the browser of its owner", async () => {
  const { adapter } = await openAdapter()
  const { links, email } = createMailer()
  const nextAuthAdapter = adapter as unknown as NonNullable<NextAuthOptions["adapter"]>
  const move = createMove(
    { adapter: nextAuthAdapter, providers: [email] },
    { adapter, providers: [email] },
  )
  const browser = move.openBrowser()
  await browser.signIn("email", { email: "ada@example.com" })
  move.moveToLatchkey()
  const page = await browser.open(links.at(-1) ?? "")
  expect([page.status, await browser.getSession()]).toEqual([200, null])
  const { pathname, search } = new URL(links.at(-1) ?? "")
  await browser.post(`${pathname}${search}`, { csrfToken: await browser.getCsrfToken() })
  expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
})
