import { createAuth } from "@latchkey/core"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { bob, linkingHouse } from "../support/linking-house.ts"
import { postOffice } from "../support/post-office.ts"

const connection = "postgres://latchkey:hunter2@db.internal.example:5432/users"

class DriverError extends Error {
  override name = "DriverError"
  code = "28P01"
  query = "select * from users where email = 'ada@example.com' -- hunter2"
  parameters = ["hunter2"]
  connectionString = connection
}

function fault(): Error {
  return new DriverError(`password authentication failed: ${connection}`, {
    cause: new Error(`ENOTFOUND ${connection}`),
  })
}

/** Asks for whatever there is, and gives everything that came back. */
async function everything(who: Browser): Promise<string> {
  const token = "0".repeat(64)
  const requests = [
    () => who.fetch("/auth/session"),
    () => who.fetch("/auth/providers"),
    () => who.open("/auth/signin"),
    () => who.open("/auth/signout"),
    () => who.open(`/auth/callback/nodemailer?token=${token}&email=ada@example.com`),
    async () =>
      who.post("/auth/signin/nodemailer", {
        csrfToken: await who.csrf(),
        email: "ada@example.com",
      }),
    () => who.signOut(),
    () => who.update({ name: "Ada" }),
  ]
  let seen = ""
  for (const request of requests) {
    const answer = await request()
    const pages = [answer]
    if (answer.status === 302) pages.push(await who.follow(answer))
    for (const page of pages) seen += [...page.headers].join() + (await page.text())
  }
  return seen
}

describe("121 what a failing database says", () => {
  test("is in no answer, and in the log without the password", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    await ada.open(await office.link(ada))
    office.failAll(fault())
    const seen = await everything(ada)
    for (const word of [
      "postgres:",
      "hunter2",
      "db.internal",
      "DriverError",
      "28P01",
      "select *",
    ]) {
      expect(seen).not.toContain(word)
    }
    const log = office.log.text()
    expect(log).toContain("password authentication failed")
    expect(log).toContain("db.internal.example")
    expect(log).toContain("28P01")
    expect(log).toContain("ENOTFOUND")
    expect(log).not.toContain("hunter2")
  })

  test("is in no answer of a sign-in through a provider", async () => {
    const house = await linkingHouse()
    house.club.user(bob)
    for (const method of [
      "getUserByAccount",
      "createUser",
      "linkAccount",
      "createSession",
    ] as const) {
      house.fail(method, { error: fault() })
      const visitor = house.visitor()
      const answer = await visitor.signIn(house.club)
      const page = await visitor.follow(answer)
      const seen = [...answer.headers, ...page.headers].join() + (await page.text())
      expect(seen).not.toMatch(/postgres|hunter2|db\.internal|DriverError/)
    }
    expect(house.log.text()).not.toContain("hunter2")
  })

  test("is a typed error for application code that asks for the session", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    await ada.open(await office.link(ada))
    office.failAll(fault())
    const cookie = [...ada.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const asked = createAuth(office.config).session(new Headers({ cookie }), "https://app.example/")
    await expect(asked).rejects.toMatchObject({ type: "SessionTokenError" })
  })
})
