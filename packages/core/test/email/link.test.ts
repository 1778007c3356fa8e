import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { postOffice } from "../support/post-office.ts"

describe("a link by e-mail", () => {
  test("signs a person in, in the browser that opens it", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    const asked = await office.ask(ada, "ada@example.com", { callbackUrl: "/welcome" })
    expect(asked.headers.get("location")).toBe(
      "https://app.example/auth/verify-request?provider=nodemailer&type=email",
    )
    const answer = await ada.open(office.box.latestLink())
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe("https://app.example/welcome")
    expect(await ada.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(office.counts()).toEqual([1, 0, 1, 0])
  })

  test("is in the mail to the address and to nobody else, as text and as HTML", async () => {
    const office = await postOffice()
    const link = await office.link(office.visitor())
    const [mail] = office.box.messages
    expect(mail).toMatchObject({
      from: "hello@app.example",
      to: ["ada@example.com"],
      subject: "Sign in to app.example",
    })
    expect(mail?.html).toContain(link.href.replaceAll("&", "&amp;"))
    expect([...link.searchParams.keys()]).toEqual(["callbackUrl", "token", "email"])
  })

  test("works in another browser than the one that asked for it", async () => {
    const office = await postOffice()
    const link = await office.link(office.visitor())
    const phone = office.visitor()
    await phone.open(link)
    expect(await phone.session()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test("90 holds a new token of 256 bits, which is stored as a keyed hash alone", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    const tokens = [await office.link(ada), await office.link(ada)].map((link) =>
      link.searchParams.get("token"),
    )
    expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(tokens[1]).not.toBe(tokens[0])
    const rows = office.rows("VerificationToken")
    expect(rows.map(({ identifier }) => identifier)).toEqual(["ada@example.com", "ada@example.com"])
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
    expect(new Set(rows.map(({ token }) => token)).size).toBe(2)
  })

  test("90 has a hash that another secret would not make", async () => {
    const token = "a-token-that-is-always-the-same"
    const hashes: unknown[] = []
    for (const secret of [
      "one secret of thirty-two letters",
      "another one of thirty-two letters",
    ]) {
      const office = await postOffice({ secret }, { generateVerificationToken: () => token })
      await office.link(office.visitor())
      hashes.push(office.rows("VerificationToken")[0]?.["token"])
    }
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test("90 lasts as long as the provider says, a day by default", async () => {
    for (const [options, seconds] of [
      [{}, 86_400],
      [{ maxAge: 600 }, 600],
    ] as const) {
      const office = await postOffice({}, options)
      const before = Date.now()
      await office.link(office.visitor())
      const expires = Number(office.rows("VerificationToken")[0]?.["expires"])
      expect(expires).toBeGreaterThanOrEqual(before + seconds * 1000)
      expect(expires).toBeLessThanOrEqual(Date.now() + seconds * 1000)
    }
  })

  test("91 is refused the second time", async () => {
    const office = await postOffice()
    const ada = office.visitor()
    const link = await office.link(ada)
    await ada.open(link)
    const mallory = office.visitor()
    const answer = await mallory.open(link)
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe("https://app.example/auth/error?error=Verification")
    expect(await mallory.session()).toBeNull()
    expect(await ada.session()).not.toBeNull()
  })

  test("91 of five clicks at once, one is let in", async () => {
    const office = await postOffice()
    const link = await office.link(office.visitor())
    const visitors = Array.from({ length: 5 }, () => office.visitor())
    await Promise.all(visitors.map((visitor) => visitor.open(link)))
    const sessions = await Promise.all(visitors.map((visitor) => visitor.session()))
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    expect(office.counts()).toEqual([1, 0, 1, 0])
  })
})
