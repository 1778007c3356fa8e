import { AuthError } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer, { type NodemailerOptions } from "@latchkey/core/providers/nodemailer"
import { browser, errorOf, mailbox } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { oauthApp } from "../support/oauth-app.ts"

describe("the credentials provider", () => {
  const authorize = (typed: { name?: unknown; password?: unknown }) =>
    typed.password === "open sesame" ? { id: "u1", name: String(typed.name) } : null

  test("signs in whom `authorize` knows", async () => {
    const written = credentials({ credentials: { name: {}, password: {} }, authorize })
    const at = await oauthApp(written, { session: { strategy: "jwt" } })
    const alice = browser(at.app)
    await alice.signIn("credentials", { name: "Ada", password: "open sesame" })
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
    const mallory = browser(at.app)
    const answer = await mallory.signIn("credentials", { name: "Ada", password: "guessed" })
    expect(errorOf(answer)).toBe("CredentialsSignin")
    expect(await mallory.session()).toBeNull()
  })

  test("may be there twice, under names of its own", async () => {
    const pin = credentials({ id: "pin", name: "PIN", authorize })
    const at = await oauthApp([credentials({ authorize }), pin], { session: { strategy: "jwt" } })
    const listed = await (await browser(at.app).open("/auth/providers")).json()
    expect(listed).toMatchObject({
      credentials: { id: "credentials", name: "Credentials", type: "credentials" },
      pin: { id: "pin", name: "PIN", type: "credentials" },
    })
  })

  test("without `authorize` is an error of the configuration", async () => {
    // An application in JavaScript can write what the types do not allow.
    const written = credentials({} as Parameters<typeof credentials>[0])
    const at = await oauthApp(written, { session: { strategy: "jwt" } })
    expect((await browser(at.app).open("/auth/signin")).status).toBe(500)
    expect(at.log()).toContain("MissingAuthorize")
  })

  test("changes nothing that it was given", async () => {
    const options = Object.freeze({ credentials: Object.freeze({ name: {} }), authorize })
    const written = Object.freeze(credentials(options))
    const at = await oauthApp(written, { session: { strategy: "jwt" } })
    expect((await browser(at.app).open("/auth/signin")).status).toBe(200)
  })
})

describe("the nodemailer provider", () => {
  const lacking = [undefined, {}, { server: undefined }, { server: "" }, { from: "us@app.example" }]
  test.each(lacking)("cannot be made without a server: %j", (options) => {
    // An application in JavaScript can write what the types do not allow.
    const make = () => nodemailer(options as NodemailerOptions)
    expect(make).toThrow(AuthError)
    expect(make).toThrow(/server/)
  })

  test("mails a link that signs in, from an address of the application's host", async () => {
    await using post = await mailbox()
    const at = await oauthApp(nodemailer({ server: post.server }))
    const alice = browser(at.app)
    await alice.signIn("nodemailer", { email: "ada@example.com" })
    const mail = await post.next()
    expect(mail.subject).toBe("Sign in to app.example")
    expect(mail.from).toContain("no-reply@app.example")
    await alice.open(mail.links[0]!)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("mails from where it is told, under the name that it is given", async () => {
    await using post = await mailbox()
    const at = await oauthApp(
      nodemailer({ id: "post", server: post.server, from: "Us <us@app.example>" }),
    )
    await browser(at.app).signIn("post", { email: "ada@example.com" })
    expect((await post.next()).from).toContain("us@app.example")
  })

  test("without a database is an error of the configuration", async () => {
    const at = await oauthApp(nodemailer({ server: "smtp://127.0.0.1:9" }), {
      adapter: undefined as never,
    })
    expect((await browser(at.app).open("/auth/signin")).status).toBe(500)
    expect(at.log()).toContain("MissingAdapter")
  })
})
