import type { Mailbox } from "@latchkey/testing"
import { createMailbox } from "@latchkey/testing"
import nodemailer from "nodemailer"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

let mailbox: Mailbox
beforeEach(async () => {
  mailbox = await createMailbox()
})
afterEach(() => mailbox.close())

const url = `https://app.example/auth/callback/mail?token=${"a".repeat(64)}&email=ada%40example.com&x=ü`

function sendMail(changes: object = {}, socketTimeout = 10_000) {
  return nodemailer.createTransport({ ...mailbox.server, socketTimeout }).sendMail({
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
    await sendMail()
    const mail = await mailbox.waitForMail()
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
    expect(mailbox.getLatestLink()).toBe(url)
  })

  test("finds the link in a mail without a text part", async () => {
    await sendMail({ text: undefined })
    expect(mailbox.getLatestLink()).toBe(url)
  })

  test.each([
    ["behind it a full stop", `Go to ${url}.`],
    ["in brackets", `Go there (${url}), please.`],
    ["in angle brackets", `Go to <${url}>`],
    ["emphasised", `*${url}*`],
  ])("finds the link of a text: %s", async (_, text) => {
    await sendMail({ text })
    expect(mailbox.getLatestLink()).toBe(url)
  })

  test.each([
    ["single quotes", `<a href='${url.replaceAll("&", "&amp;")}'>`],
    [
      "numbers for characters",
      `<A HREF = "${url.replaceAll("&", "&#x26;").replace("=", "&#61;")}">`,
    ],
    ["other links before it", `<a href="mailto:help@app.example"><a href="#top"><a href="${url}">`],
  ])("finds the link of a mail without text: %s", async (_, html) => {
    await sendMail({ text: undefined, html })
    expect(mailbox.getLatestLink()).toBe(url)
  })

  test.each([
    ["in one piece", "Your code is 123456."],
    ["in two groups", `Sign in: ${url}\n\nEnter this code where you asked for it: 123 456\n`],
    ["with a dash", "Your code: 123-456"],
    ["with a space that does not break", "Your code: 123\u00a0456"],
    ["after other numbers", `In 10 minutes, at 20261123 or +1 555 123 4567 or #654321: *123456*`],
    [
      "after an address and a link",
      "ada654321@example.com, https://a.example/654321?b=654321 123456",
    ],
  ])("finds the code of a text: %s", async (_, text) => {
    await sendMail({ text })
    expect(mailbox.code()).toBe("123456")
    expect((await mailbox.waitForMail()).code).toBe("123456")
  })

  test.each([
    ["between tags", "<p style='color:#654321'>Your code:<br><strong>123&nbsp;456</strong></p>"],
    ["with a mark-up for each digit", "<b>1</b><b>2</b><b>3</b><b>4</b><b>5</b><b>6</b>"],
    ["after a style sheet", "<style>a { width: 654321px; order: 654321 }</style><td>123456</td>"],
  ])("finds the code of a mail without text: %s", async (_, html) => {
    await sendMail({ text: undefined, html })
    expect(mailbox.code()).toBe("123456")
  })

  test("has no code before the first mail, and none in a mail without one", async () => {
    expect(() => mailbox.code()).toThrow("0 mails contains no six-digit code")
    await sendMail({ text: `Call 555 123 4567 within 10 minutes, or open ${url}` })
    expect(() => mailbox.code()).toThrow("1 mails contains no six-digit code")
    expect(mailbox.messages[0]?.code).toBeUndefined()
  })

  test("resolves two concurrent waits with one mail each", async () => {
    const waiting = Promise.all([mailbox.waitForMail(), mailbox.waitForMail()])
    await sendMail({ subject: "one" })
    await sendMail({ subject: "two" })
    expect((await waiting).map(({ subject }) => subject).sort()).toEqual(["one", "two"])
  })

  test("returns mails in order, and waits for the next", async () => {
    await sendMail({ subject: "one" })
    const later = (async () => [await mailbox.waitForMail(), await mailbox.waitForMail()])()
    await sendMail({ subject: "two" })
    expect((await later).map(({ subject }) => subject)).toEqual(["one", "two"])
    expect(mailbox.messages).toHaveLength(2)
    await expect(mailbox.waitForMail(20)).rejects.toThrow("No mail arrived within 20 ms.")
  })

  test("has no link before the first mail", async () => {
    expect(() => mailbox.getLatestLink()).toThrow("0 mails")
    await sendMail({ text: "nothing", html: undefined })
    expect(() => mailbox.getLatestLink()).toThrow("1 mails")
  })

  test.each([
    ["reject-sender", "Sender is not welcome"],
    ["reject-recipient", "No such mailbox"],
    ["reject-message", "Looks like spam"],
    ["defer", "Come again later"],
    ["drop", /./],
    ["hang", "Timeout"],
  ] as const)("fails with %s, and works again", async (fault, message) => {
    mailbox.injectFault(fault)
    const socketTimeout = fault === "hang" ? 200 : 10_000
    await expect(sendMail({}, socketTimeout)).rejects.toThrow(message)
    expect(mailbox.messages).toEqual([])
    mailbox.clearFault()
    await sendMail()
    expect(mailbox.messages).toHaveLength(1)
  })
})

describe("a connection", () => {
  const mail = { from: "no-reply@app.example", to: "ada@example.com", subject: "Hi", text: "Hi" }

  test.each(["none", "starttls", "tls"] as const)("is secured: %s", async (security) => {
    await using secured = await createMailbox({ security })
    await nodemailer.createTransport(secured.server).sendMail(mail)
    expect(await secured.waitForMail()).toMatchObject({ subject: "Hi" })
    secured.injectFault("drop")
    await expect(nodemailer.createTransport(secured.server).sendMail(mail)).rejects.toThrow()
    secured.clearFault()
    if (security === "none") return
    const trusting = { ...secured.server, tls: { rejectUnauthorized: true } }
    await expect(nodemailer.createTransport(trusting).sendMail(mail)).rejects.toThrow()
    expect(secured.messages).toHaveLength(1)
  })

  test("requires the password, if there is one", async () => {
    await using guarded = await createMailbox({ auth: { user: "app", pass: "hunter2" } })
    await nodemailer.createTransport(guarded.server).sendMail(mail)
    expect(guarded.messages).toHaveLength(1)
    const { auth: _, ...anonymous } = guarded.server
    for (const server of [anonymous, { ...anonymous, auth: { user: "app", pass: "guess" } }]) {
      await expect(nodemailer.createTransport(server).sendMail(mail)).rejects.toThrow()
    }
    expect(guarded.messages).toHaveLength(1)
  })
})
