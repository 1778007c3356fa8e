import type { EmailConfig, EmailUserConfig } from "@latchkey/core/providers"
import { assertRefused, errorOf, type MailFault } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { type PostOffice, postOffice } from "../support/post-office.ts"

afterEach(() => void vi.useRealTimers())

/** Refused without saying why, and nothing that anybody could use is left. */
async function expectHarmless(answer: Response, office: Pick<PostOffice, "counts">) {
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  expect(answer.headers.get("location")).not.toMatch(/mail server|smtp|spam|example\.com/i)
  expect(await answer.text()).toBe("")
  expect(office.counts()).toEqual([0, 0, 0, 0])
}

describe("98 a mail server that", () => {
  test.each<MailFault>(["reject-sender", "reject-recipient", "reject-message", "drop"])(
    "fails (%s) ends in an error, and the next attempt succeeds",
    async (fault) => {
      const office = await postOffice()
      const ada = office.visitor()
      office.box.misbehave(fault)
      await expectHarmless(await office.ask(ada), office)
      expect(office.log.errors()).toEqual(["EmailSignInError"])

      office.box.behave()
      await ada.open(await office.link(ada))
      expect(await ada.session()).not.toBeNull()
    },
  )

  test("is not there ends in an error", async () => {
    const office = await postOffice()
    await office.box.close()
    await expectHarmless(await office.ask(office.visitor()), office)
  })

  test("hangs is given up after 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const office = await postOffice()
    const ada = office.visitor()
    office.box.misbehave("hang")
    const asked = office.ask(ada)
    await vi.waitFor(() => expect(office.rows("VerificationToken")).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(15_000)
    await expectHarmless(await asked, office)
    expect(office.log.messages("EmailSignInError")).toEqual(["The e-mail could not be sent."])
  })
})

type Send = EmailConfig["sendVerificationRequest"]

/** A post office whose mails are sent by other means than SMTP. */
function office(send: Send, options: EmailUserConfig = {}): Promise<PostOffice> {
  const common = { id: "nodemailer", name: "Email", type: "email" } as const
  return postOffice({ providers: [{ ...common, sendVerificationRequest: send, options }] })
}

const faults: Readonly<Record<string, Send>> = {
  "throws at once": () => {
    throw new Error("no mail server")
  },
  rejects: () => Promise.reject(new Error("no mail server")),
  "rejects later": () =>
    new Promise((_, reject) => void setImmediate(() => reject(new Error("no mail server")))),
  "rejects with something that is no error": () => Promise.reject("no mail server"),
  "rejects with nothing": () => Promise.reject(),
}

describe("98 a mailer that", () => {
  test.each(Object.entries(faults))("%s ends in an error", async (_, send) => {
    const at = await office(send)
    await expectHarmless(await at.ask(at.visitor()), at)
    expect(at.log.errors()).toEqual(["EmailSignInError"])
  })

  test("finishes after it was given up changes nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let link = ""
    let fail: (reason: Error) => void = () => undefined
    const at = await office(({ url }) => {
      link = url
      return new Promise<void>((_, reject) => {
        fail = reject
      })
    })
    const ada = at.visitor()
    const asked = at.ask(ada)
    await vi.waitFor(() => expect(link).not.toBe(""))
    await vi.advanceTimersByTimeAsync(15_000)
    await expectHarmless(await asked, at)
    fail(new Error("too late"))
    assertRefused(await ada.open(link))
  })

  test("fails while the database does too ends in an error, and the link stays with nobody", async () => {
    let post: PostOffice | undefined
    const at = await office(() => {
      post?.failAll()
      throw new Error("no mail server")
    })
    post = at
    assertRefused(await at.ask(at.visitor()))
    expect(at.log.errors()).toEqual(["AdapterError", "EmailSignInError"])
  })
})

test("99 no mail is sent when the token could not be stored", async () => {
  const at = await postOffice()
  at.fail("createVerificationToken")
  const answer = await at.ask(at.visitor())
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  expect(at.box.messages).toEqual([])
  await at.link(at.visitor())
})

test("99 the token is stored before the mail leaves", async () => {
  let storedThen: number | undefined
  let post: PostOffice | undefined
  post = await office(() => {
    storedThen = post?.rows("VerificationToken").length
  })
  await post.ask(post.visitor())
  expect(storedThen).toBe(1)
})

test.each([
  ["throws", () => Promise.reject(new Error("no entropy"))],
  ["returns nothing", () => ""],
  ["returns more than a link can carry", () => "x".repeat(513)],
])("no mail is sent when `generateVerificationToken` %s", async (_, generateVerificationToken) => {
  const at = await postOffice({}, { generateVerificationToken })
  assertRefused(await at.ask(at.visitor()))
  expect(at.log.errors()).toEqual(["EmailSignInError"])
  expect(at.box.messages).toEqual([])
  expect(at.counts()).toEqual([0, 0, 0, 0])
})

test("the mailer gets what it needs to write a mail, and the request with its fields", async () => {
  const got: Parameters<Send>[0][] = []
  const at = await office((request) => void got.push(request), { from: "hello@app.example" })
  await at.ask(at.visitor({ headers: { "accept-language": "de" } }), "ADA@example.com", {
    tone: "formal",
  })
  const [sent] = got
  expect(sent).toMatchObject({
    identifier: "ada@example.com",
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    expires: expect.any(Date),
    theme: {},
    provider: { id: "nodemailer", type: "email", from: "hello@app.example" },
  })
  expect(new URL(sent?.url ?? "").searchParams.get("token")).toBe(sent?.token)
  expect(sent?.request.url).toBe("https://app.example/auth/signin/nodemailer")
  expect(sent?.request.headers.get("accept-language")).toBe("de")
  expect(await sent?.request.json()).toMatchObject({ email: "ADA@example.com", tone: "formal" })
})
