import type { Adapter } from "@auth/core/adapters"
import type { NodemailerConfig } from "@auth/core/providers/nodemailer"
import ReferenceNodemailer from "@auth/core/providers/nodemailer"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { type Browser, errorOf, type Mailbox, mailbox } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { kysely } from "./support/databases/kysely.ts"
import { directions, type Library, swap } from "./support/swap.ts"

const nameAt = async (visitor: Browser) => (await visitor.session())?.user?.name

describe.each(directions)("what a browser carries, from $from to $to", ({ from, to }) => {
  test("the CSRF token of a page that was open before is good for signing in", async () => {
    const at = await swap()
    const visitor = at.visitor()
    at.run(from)
    const csrfToken = await visitor.csrf()
    at.run(to)
    const answer = await visitor.post("/auth/signin/scripted", { csrfToken })
    const url = new URL(answer.headers.get("location") ?? "")
    if (to === "latchkey") {
      expect(url.origin).toBe("https://idp.example")
      return
    }
    // Ours is bound to the session: the reference library refuses it, and the form has to be loaded again.
    expect(errorOf(answer)).toBe("MissingCSRF")
    await visitor.signIn(at.provider)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
  })

  test("the address to go to afterwards is remembered", async () => {
    const at = await swap()
    const visitor = at.visitor()
    at.run(from)
    await visitor.open("/auth/signin?callbackUrl=/album")
    at.run(to)
    const answer = await visitor.signIn(at.provider)
    expect(answer.headers.get("location")).toBe("https://app.example/album")
  })

  test("a sign-in that was under way has to be begun again, and can be", async () => {
    const at = await swap()
    const visitor = at.visitor()
    at.run(from)
    const begun = await visitor.begin(at.provider)
    at.run(to)
    expect(errorOf(await visitor.open(at.provider.approve(begun)))).toBe("Configuration")
    expect(await visitor.session()).toBeNull()
    await visitor.signIn(at.provider)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
  })
})

describe.each([
  ["the reference library's", ReferenceNodemailer],
  ["our", Nodemailer],
])("links by e-mail, with %s Nodemailer provider", (_, provider) => {
  let box: Mailbox

  beforeEach(async () => {
    box = await mailbox()
  })
  afterEach(() => box.close())

  async function asked(library: Library, changes: { secret?: string[] } = {}) {
    const opened = await kysely.open()
    onTestFinished(() => opened[Symbol.asyncDispose]())
    // Both are of one contract; their declarations name types of either library.
    const email = provider({ server: box.server, from: "door@app.example" }) as NodemailerConfig
    const at = await swap({ providers: [email], ...changes }, opened)
    const visitor = at.visitor()
    at.run(library)
    await visitor.signIn("nodemailer", { email: "ada@example.com", callbackUrl: "/album" })
    await box.next()
    return { at, visitor, link: new URL(box.latestLink()) }
  }

  test("one that the reference library sent is used with us, once", async () => {
    const { at, visitor, link } = await asked("reference")
    at.run("latchkey")
    const answer = await visitor.open(link)
    expect(answer.headers.get("location")).toBe("https://app.example/album")
    expect((await visitor.session())?.user?.email).toBe("ada@example.com")
    expect(errorOf(await at.visitor().open(link))).toBe("Verification")
  })

  test("also where the secret is rotated", async () => {
    const one = "the first of two secrets: 0123456789abcdef"
    const two = "the other of two secrets: 0123456789abcdef"
    const { at, visitor, link } = await asked("reference", { secret: [one, two] })
    at.run("latchkey")
    await visitor.open(link)
    expect((await visitor.session())?.user?.email).toBe("ada@example.com")
  })

  test("one that we sent is refused by the reference library, and still good with us", async () => {
    const { at, visitor, link } = await asked("latchkey")
    at.run("reference")
    expect(errorOf(await visitor.open(link))).toBe("Verification")
    at.run("latchkey")
    await visitor.open(link)
    expect((await visitor.session())?.user?.email).toBe("ada@example.com")
  })
})

describe.each(directions)("our SqlAdapter, from $from to $to", ({ from, to }) => {
  test("serves both: users, accounts and sessions are where they were", async () => {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    // Its declaration names our types; the reference library calls the same methods.
    const adapter = SqlAdapter(database) as object as Adapter
    const at = await swap({ session: { strategy: "database" } }, { adapter })
    const visitor = at.visitor()
    at.run(from)
    await visitor.signIn(at.provider)
    at.run(to)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    await visitor.signOut()
    await visitor.signIn(at.provider)
    at.run(from)
    expect(await nameAt(visitor)).toBe("Ada Lovelace")
    const count = database.prepare(`select count(*) as users from "User"`).get()
    expect(count).toEqual({ users: 1 })
    expect(at.errors).toEqual([])
  })
})
