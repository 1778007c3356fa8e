import type { VerificationToken } from "@latchkey/core/adapters"
import { assertRefused, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { openLink } from "../support/open-link.ts"

const minute = 60_000

describe("an invalid link", () => {
  test("is refused if it has expired, and its row is deleted", async () => {
    const app = await createEmailApp({}, { maxAge: 600 })
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    await withFrozenTime(Date.now() + 11 * minute, async () => {
      assertRefused(await ada.open(link))
      expect(await ada.getSession()).toBeNull()
    })
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  })

  test("is accepted until it expires", async () => {
    const app = await createEmailApp({}, { maxAge: 600 })
    const ada = app.openBrowser()
    const link = await app.receiveLink(ada)
    await withFrozenTime(Date.now() + 9 * minute, () => ada.open(link))
    expect(await ada.getSession()).not.toBeNull()
  })

  test("does not affect the valid link, however often tokens are guessed", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    const real = link.searchParams.get("token") ?? ""
    const guesses = ["", "0".repeat(64), real.slice(1), `${real}0`, real.toUpperCase(), `${real} `]
    for (const guess of guesses) {
      const guessed = new URL(link)
      guessed.searchParams.set("token", guess)
      assertRefused(await openLink(app.openBrowser(), guessed))
    }
    const ada = app.openBrowser()
    await openLink(ada, link)
    expect(await ada.getSession()).not.toBeNull()
  })

  test("is refused without its token or address, and the database is not queried", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    app.calls.length = 0
    for (const name of ["token", "email"]) {
      const part = new URL(link)
      part.searchParams.delete(name)
      assertRefused(await app.openBrowser().open(part))
      part.searchParams.set(name, "x".repeat(9000))
      assertRefused(await app.openBrowser().open(part))
    }
    expect(app.calls).toEqual([])
    expect(app.countRows()).toEqual([0, 0, 0, 1])
  })

  test("with a hash from the database as its token is refused", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser())
    link.searchParams.set("token", String(app.rows("VerificationToken")[0]?.["token"]))
    assertRefused(await openLink(app.openBrowser(), link))
  })

  test("is refused for another address", async () => {
    const app = await createEmailApp()
    const link = await app.receiveLink(app.openBrowser(), "mallory@example.com")
    for (const email of ["ada@example.com", "MALLORY@example.com", " mallory@example.com"]) {
      const edited = new URL(link)
      edited.searchParams.set("email", email)
      assertRefused(await openLink(app.openBrowser(), edited))
    }
    expect(app.countRows()).toEqual([0, 0, 0, 1])
  })
})

/** A database that ignores parts of the key when it looks up a row, as real adapters have done. */
async function createCarelessApp(
  matches: (row: VerificationToken, asked: VerificationToken) => boolean,
) {
  const app = await createEmailApp()
  const rows: VerificationToken[] = []
  app.adapter.createVerificationToken = async (row) => {
    rows.push(row)
    return row
  }
  app.adapter.useVerificationToken = async (asked) => {
    const index = rows.findIndex((row) => matches(row, { ...asked, expires: row.expires }))
    return index < 0 ? null : (rows.splice(index, 1)[0] ?? null)
  }
  return { ...app, kept: rows }
}

describe("with an adapter that compares only a part of the key", () => {
  test("the token alone: a valid token with another address is refused, and remains valid", async () => {
    const app = await createCarelessApp((row, asked) => row.token === asked.token)
    // The hash is bound to the address, so only one in Auth.js' format can be found this way.
    const link = await app.receiveLink(app.openBrowser(), "mallory@example.com")
    const token = link.searchParams.get("token") ?? ""
    const legacy = await hashLikeAuthjs(token, String(app.config.secret))
    app.kept.splice(0, 1, {
      identifier: "mallory@example.com",
      token: legacy,
      expires: new Date(Date.now() + minute),
    })
    link.searchParams.set("email", "ada@example.com")
    assertRefused(await openLink(app.openBrowser(), link))
    expect(app.rows("User")).toEqual([])
    expect(app.kept).toMatchObject([{ identifier: "mallory@example.com", token: legacy }])
  })

  test("the address alone: a wrong token is refused, and the valid link remains valid", async () => {
    const app = await createCarelessApp((row, asked) => row.identifier === asked.identifier)
    const link = await app.receiveLink(app.openBrowser())
    const guessed = new URL(link)
    guessed.searchParams.set("token", "f".repeat(64))
    const mallory = app.openBrowser()
    assertRefused(await openLink(mallory, guessed))
    expect(await mallory.getSession()).toBeNull()
    const ada = app.openBrowser()
    await openLink(ada, link)
    expect(await ada.getSession()).not.toBeNull()
  })
})

/** SHA-256 of the token followed by the secret. */
async function hashLikeAuthjs(token: string, secret: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token + secret))
  return Buffer.from(bytes).toString("hex")
}
