import type { Mailbox } from "@latchkey/testing"
import { mailbox } from "@latchkey/testing"
import nodemailer from "nodemailer"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

let box: Mailbox
beforeEach(async () => {
  box = await mailbox()
})
afterEach(() => box.close())

const url = `https://app.example/auth/callback/mail?token=${"a".repeat(64)}&email=ada%40example.com&x=ü`

function send(changes: object = {}, socketTimeout = 10_000) {
  return nodemailer.createTransport({ ...box.server, socketTimeout }).sendMail({
    from: "Latchkey <no-reply@app.example>",
    to: "ada@example.com",
    subject: "Grüße, und ein Betreff, der lang genug ist, um in der Kopfzeile umbrochen zu werden",
    text: `Sign in ✓\n${url}\n`,
    html: `<p>Sign in</p><a href="${url.replaceAll("&", "&amp;")}">here</a>`,
    ...changes,
  })
}

describe("a mailbox", () => {
  test("receives what nodemailer sends", async () => {
    await send()
    const mail = await box.next()
    expect(mail).toMatchObject({
      from: "no-reply@app.example",
      to: ["ada@example.com"],
      subject:
        "Grüße, und ein Betreff, der lang genug ist, um in der Kopfzeile umbrochen zu werden",
      text: `Sign in ✓\n${url}`,
      links: [url],
    })
    expect(mail.html).toContain("<p>Sign in</p>")
    expect(mail.headers.get("content-type")).toMatch(/^multipart\/alternative/)
    expect(mail.raw).toContain("MIME-Version: 1.0")
    expect(box.latestLink()).toBe(url)
  })

  test("finds the link of a mail without text", async () => {
    await send({ text: undefined })
    expect(box.latestLink()).toBe(url)
  })

  test("gives out mails one after the other, and waits for the next", async () => {
    await send({ subject: "one" })
    const later = (async () => [await box.next(), await box.next()])()
    await send({ subject: "two" })
    expect((await later).map(({ subject }) => subject)).toEqual(["one", "two"])
    expect(box.messages).toHaveLength(2)
    await expect(box.next(20)).rejects.toThrow("No mail arrived within 20 ms.")
  })

  test("has no link before there is a mail", async () => {
    expect(() => box.latestLink()).toThrow("0 mails")
    await send({ text: "nothing", html: undefined })
    expect(() => box.latestLink()).toThrow("1 mails")
  })

  test.each([
    ["reject-sender", "Sender is not welcome"],
    ["reject-recipient", "No such mailbox"],
    ["reject-message", "Looks like spam"],
    ["drop", /./],
    ["hang", "Timeout"],
  ] as const)("fails with %s, and works again", async (fault, words) => {
    box.misbehave(fault)
    const patience = fault === "hang" ? 200 : 10_000
    await expect(send({}, patience)).rejects.toThrow(words)
    expect(box.messages).toEqual([])
    box.behave()
    await send()
    expect(box.messages).toHaveLength(1)
  })
})
