import type { Adapter } from "@auth/core/adapters"
import type { NodemailerConfig } from "@auth/core/providers/nodemailer"
import AuthJsNodemailer from "@auth/core/providers/nodemailer"
import Nodemailer from "@latchkey/core/providers/nodemailer"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createMailbox, getRedirectError, type Mailbox, type TestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { kyselySetup } from "./support/databases/kysely.ts"
import {
  createLibrarySwitch,
  type LibraryName,
  switchDirections,
} from "./support/library-switch.ts"

const readUserName = async (browser: TestBrowser) => (await browser.getSession())?.user?.name

describe.each(switchDirections)(
  "cookies and pending sign-ins, from $from to $to",
  ({ from, to }) => {
    test("the CSRF token of an open page is accepted for signing in", async () => {
      const librarySwitch = await createLibrarySwitch()
      const browser = librarySwitch.openBrowser()
      librarySwitch.switchTo(from)
      const csrfToken = await browser.getCsrfToken()
      librarySwitch.switchTo(to)
      const response = await browser.post("/auth/signin/scripted", { csrfToken })
      const url = new URL(response.headers.get("location") ?? "")
      if (to === "latchkey") {
        expect(url.origin).toBe("https://idp.example")
        return
      }
      // Latchkey's token is bound to the session. Auth.js refuses it, so the form has to be reloaded.
      expect(getRedirectError(response)).toBe("MissingCSRF")
      await browser.signIn(librarySwitch.provider)
      expect(await readUserName(browser)).toBe("Ada Lovelace")
    })

    test("the callback URL is kept", async () => {
      const librarySwitch = await createLibrarySwitch()
      const browser = librarySwitch.openBrowser()
      librarySwitch.switchTo(from)
      await browser.open("/auth/signin?callbackUrl=/album")
      librarySwitch.switchTo(to)
      const response = await browser.signIn(librarySwitch.provider)
      expect(response.headers.get("location")).toBe("https://app.example/album")
    })

    test("a pending sign-in must be started again", async () => {
      const librarySwitch = await createLibrarySwitch()
      const browser = librarySwitch.openBrowser()
      librarySwitch.switchTo(from)
      const authorizationUrl = await browser.startSignIn(librarySwitch.provider)
      librarySwitch.switchTo(to)
      expect(
        getRedirectError(await browser.open(librarySwitch.provider.approve(authorizationUrl))),
      ).toBe("Configuration")
      expect(await browser.getSession()).toBeNull()
      await browser.signIn(librarySwitch.provider)
      expect(await readUserName(browser)).toBe("Ada Lovelace")
    })
  },
)

describe.each([
  ["Auth.js'", AuthJsNodemailer],
  ["our", Nodemailer],
])("links by e-mail, with %s Nodemailer provider", (_, provider) => {
  let box: Mailbox

  beforeEach(async () => {
    box = await createMailbox()
  })
  afterEach(() => box.close())

  async function requestLink(library: LibraryName, changes: { secret?: string[] } = {}) {
    const database = await kyselySetup.openDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    // The adapter works with both libraries, but its declarations name the types of one of them.
    const email = provider({ server: box.server, from: "door@app.example" }) as NodemailerConfig
    const librarySwitch = await createLibrarySwitch({ providers: [email], ...changes }, database)
    const browser = librarySwitch.openBrowser()
    librarySwitch.switchTo(library)
    await browser.signIn("nodemailer", { email: "ada@example.com", callbackUrl: "/album" })
    await box.waitForMail()
    return { at: librarySwitch, visitor: browser, link: new URL(box.getLatestLink()) }
  }

  /** Opens a link in a browser that has no marker cookie of the request, and presses the button of the page. */
  async function confirmLink(browser: TestBrowser, link: URL): Promise<Response> {
    expect(await (await browser.open(link)).text()).toContain(
      "Continue as <bdi>ada@example.com</bdi>",
    )
    return browser.post(link, { csrfToken: await browser.getCsrfToken() })
  }

  test("a link of Auth.js works once in Latchkey", async () => {
    const { at: librarySwitch, visitor: browser, link } = await requestLink("authjs")
    librarySwitch.switchTo("latchkey")
    const response = await confirmLink(browser, link)
    expect(response.headers.get("location")).toBe("https://app.example/album")
    expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
    const otherBrowser = librarySwitch.openBrowser()
    expect(getRedirectError(await confirmLink(otherBrowser, link))).toBe("Verification")
  })

  test("a link of Auth.js works while the secret is rotated", async () => {
    const firstSecret = "the first of two secrets: 0123456789abcdef"
    const secondSecret = "the other of two secrets: 0123456789abcdef"
    const {
      at: librarySwitch,
      visitor: browser,
      link,
    } = await requestLink("authjs", { secret: [firstSecret, secondSecret] })
    librarySwitch.switchTo("latchkey")
    await confirmLink(browser, link)
    expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
  })

  test("a link of Latchkey is refused by Auth.js, and still works in Latchkey", async () => {
    const { at: librarySwitch, visitor: browser, link } = await requestLink("latchkey")
    librarySwitch.switchTo("authjs")
    expect(getRedirectError(await browser.open(link))).toBe("Verification")
    librarySwitch.switchTo("latchkey")
    await browser.open(link)
    expect((await browser.getSession())?.user?.email).toBe("ada@example.com")
  })
})

describe.each(switchDirections)("our SqlAdapter, from $from to $to", ({ from, to }) => {
  test("works with both: users, accounts and sessions are kept", async () => {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    // Its declarations name Latchkey's types; Auth.js calls the same methods.
    const adapter = SqlAdapter(database) as object as Adapter
    const librarySwitch = await createLibrarySwitch(
      { session: { strategy: "database" } },
      { adapter },
    )
    const browser = librarySwitch.openBrowser()
    librarySwitch.switchTo(from)
    await browser.signIn(librarySwitch.provider)
    librarySwitch.switchTo(to)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    await browser.signOut()
    await browser.signIn(librarySwitch.provider)
    librarySwitch.switchTo(from)
    expect(await readUserName(browser)).toBe("Ada Lovelace")
    const count = database.prepare(`select count(*) as users from "User"`).get()
    expect(count).toEqual({ users: 1 })
    expect(librarySwitch.errors).toEqual([])
  })
})
