/** The same visit with Auth.js and with Latchkey, on every adapter: what a fake server gets wrong would fail in both. */
import { randomUUID } from "node:crypto"
import { customFetch } from "@auth/core"
import nodemailer from "@auth/core/providers/nodemailer"
import { createMailbox, createScriptedProvider, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { AdapterSetup } from "./support/adapter-setup.ts"
import { adapterSetups } from "./support/adapter-setups.ts"
import { createLibrarySwitch, type LibraryName } from "./support/library-switch.ts"
import { ada, type SessionStrategy } from "./support/test-application.ts"

const day = 86_400_000

// The adapters that have PGlite run on PostgreSQL or SQLite, too.
const setups = adapterSetups.filter(({ database }) => database !== "PGlite")

describe.each(setups)("one visit, on $adapter with $database", (setup) => {
  test.each(["database", "jwt"] as const)("%s sessions", async (strategy) => {
    const stored = strategy === "database"
    const expected = {
      "signed in": "Ada",
      "again in another browser": "Ada",
      "rows after two sign-ins": [1, 1, stored ? 2 : 0],
      "two days later": "Ada",
      "renewed by days": 2,
      "linked another account": "Ada",
      "accounts after linking": 2,
      "signed out": undefined,
      "in through the other account": "Ada",
      "rows of users": 1,
      "in by e-mail": true,
      "users after an e-mail": 2,
    }
    const theirs = await visit("authjs", setup, strategy)
    expect(theirs).toMatchObject(expected)
    expect(await visit("latchkey", setup, strategy)).toEqual(theirs)
  })
})

async function visit(library: LibraryName, setup: AdapterSetup, strategy: SessionStrategy) {
  await using database = await setup.openDatabase()
  await using mailbox = await createMailbox()
  const club = await createScriptedProvider({ id: "club", issuer: "https://club.example" })
  const site = await createLibrarySwitch({ session: { strategy } }, database)
  site.config.providers.push(
    { ...club.asOAuth(), [customFetch]: club.fetch },
    nodemailer({ server: mailbox.server, from: "door@app.example" }),
  )
  site.switchTo(library)
  site.provider.setUser(ada)
  club.setUser(ada)

  const browser = site.openBrowser()
  const readName = async (visitor = browser) => (await visitor.getSession())?.user?.name
  const seen: Record<string, unknown> = {}
  await browser.signIn(site.provider)
  const started = Date.now()
  seen["signed in"] = await readName()
  seen["keys of the user"] = Object.keys((await browser.getSession())?.user ?? {}).sort()
  const secondBrowser = site.openBrowser()
  await secondBrowser.signIn(site.provider)
  seen["again in another browser"] = await readName(secondBrowser)
  seen["rows after two sign-ins"] = await database.countRows()

  const late = await withFrozenTime(started + 2 * day, async () => {
    await secondBrowser.getSession() // Auth.js returns the new expiry with the next one
    return secondBrowser.getSession()
  })
  seen["two days later"] = late?.user?.name
  seen["renewed by days"] = late
    ? Math.round((Date.parse(late.expires) - started) / day) - 30
    : undefined

  await browser.signIn(club, { link: "true" })
  seen["linked another account"] = await readName()
  seen["accounts after linking"] = (await database.countRows())[1]
  await browser.signOut()
  seen["signed out"] = await readName()
  await browser.signIn(club)
  seen["in through the other account"] = await readName()
  seen["rows of users"] = (await database.countRows())[0]

  const otherBrowser = site.openBrowser()
  const email = `${randomUUID()}@example.com` // each address has its own limit of e-mails
  await otherBrowser.signIn("nodemailer", { email })
  await mailbox.waitForMail()
  await otherBrowser.open(new URL(mailbox.getLatestLink()))
  seen["in by e-mail"] = (await otherBrowser.getSession())?.user?.email === email
  seen["users after an e-mail"] = (await database.countRows())[0]
  expect(site.errors).toEqual([])
  return seen
}
