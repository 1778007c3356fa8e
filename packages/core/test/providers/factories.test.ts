import { AuthError } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer, { type NodemailerOptions } from "@latchkey/core/providers/nodemailer"
import { createMailbox, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"

describe("the credentials provider", () => {
  const authorize = (typed: { name?: unknown; password?: unknown }) =>
    typed.password === "open sesame" ? { id: "u1", name: String(typed.name) } : null

  test("signs in the user whom `authorize` returns", async () => {
    const written = credentials({ credentials: { name: {}, password: {} }, authorize })
    const app = await createOAuthApp(written, { session: { strategy: "jwt" } })
    const alice = createTestBrowser(app.app)
    await alice.signIn("credentials", { name: "Ada", password: "open sesame" })
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    const mallory = createTestBrowser(app.app)
    const response = await mallory.signIn("credentials", { name: "Ada", password: "guessed" })
    expect(getRedirectError(response)).toBe("CredentialsSignin")
    expect(await mallory.getSession()).toBeNull()
  })

  test("can be used twice with different ids", async () => {
    const pin = credentials({ id: "pin", name: "PIN", authorize })
    const app = await createOAuthApp([credentials({ authorize }), pin], {
      session: { strategy: "jwt" },
    })
    const listed = await (await createTestBrowser(app.app).open("/auth/providers")).json()
    expect(listed).toMatchObject({
      credentials: { id: "credentials", name: "Credentials", type: "credentials" },
      pin: { id: "pin", name: "PIN", type: "credentials" },
    })
  })

  test("without `authorize` is an error of the configuration", async () => {
    // JavaScript applications can pass values that the types do not allow.
    const written = credentials({} as Parameters<typeof credentials>[0])
    const app = await createOAuthApp(written, { session: { strategy: "jwt" } })
    expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
    expect(app.readLog()).toContain("MissingAuthorize")
  })

  test("does not change its options", async () => {
    const options = Object.freeze({ credentials: Object.freeze({ name: {} }), authorize })
    const written = Object.freeze(credentials(options))
    const app = await createOAuthApp(written, { session: { strategy: "jwt" } })
    expect((await createTestBrowser(app.app).open("/auth/signin")).status).toBe(200)
  })
})

describe("the nodemailer provider", () => {
  const lacking = [undefined, {}, { server: undefined }, { server: "" }, { from: "us@app.example" }]
  test.each(lacking)("cannot be created without a server: %j", (options) => {
    // JavaScript applications can pass values that the types do not allow.
    const make = () => nodemailer(options as NodemailerOptions)
    expect(make).toThrow(AuthError)
    expect(make).toThrow(/server/)
  })

  test("sends a sign-in link from an address on the host of the application", async () => {
    await using post = await createMailbox()
    const app = await createOAuthApp(nodemailer({ server: post.server }))
    const alice = createTestBrowser(app.app)
    await alice.signIn("nodemailer", { email: "ada@example.com" })
    const mail = await post.waitForMail()
    expect(mail.subject).toBe("Sign in to app.example")
    expect(mail.from).toContain("no-reply@app.example")
    await alice.open(mail.links[0]!)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("sends from the configured address and has the configured name", async () => {
    await using post = await createMailbox()
    const app = await createOAuthApp(
      nodemailer({ id: "post", server: post.server, from: "Us <us@app.example>" }),
    )
    await createTestBrowser(app.app).signIn("post", { email: "ada@example.com" })
    expect((await post.waitForMail()).from).toContain("us@app.example")
  })

  test("without a database is an error of the configuration", async () => {
    const app = await createOAuthApp(nodemailer({ server: "smtp://127.0.0.1:9" }), {
      adapter: undefined as never,
    })
    expect((await createTestBrowser(app.app).open("/auth/signin")).status).toBe(500)
    expect(app.readLog()).toContain("MissingAdapter")
  })
})
