import type { EmailConfig, EmailUserConfig } from "@latchkey/core/providers"
import { assertRefused, getRedirectError, type MailFault } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createEmailApp, type EmailApp } from "../support/email-app.ts"
import { openLink } from "../support/open-link.ts"

afterEach(() => void vi.useRealTimers())

/** Asserts a refusal without details and without a usable token. */
async function expectHarmless(response: Response, app: Pick<EmailApp, "countRows">) {
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  expect(response.headers.get("location")).not.toMatch(/mail server|smtp|spam|example\.com/i)
  expect(await response.text()).toBe("")
  expect(app.countRows()).toEqual([0, 0, 0, 0])
}

describe("a mail server that", () => {
  test.each<MailFault>(["reject-sender", "reject-recipient", "reject-message", "drop"])(
    "fails (%s) causes an error, and the next attempt succeeds",
    async (fault) => {
      const app = await createEmailApp()
      const ada = app.openBrowser()
      app.inbox.injectFault(fault)
      await expectHarmless(await app.requestLink(ada), app)
      expect(app.log.errorCodes()).toEqual(["EmailSignInError"])

      app.inbox.clearFault()
      await ada.open(await app.receiveLink(ada))
      expect(await ada.getSession()).not.toBeNull()
    },
  )

  test("is unreachable causes an error", async () => {
    const app = await createEmailApp()
    await app.inbox.close()
    await expectHarmless(await app.requestLink(app.openBrowser()), app)
  })

  test("hangs is aborted after 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const app = await createEmailApp()
    const ada = app.openBrowser()
    app.inbox.injectFault("hang")
    const asked = app.requestLink(ada)
    await vi.waitFor(() => expect(app.rows("VerificationToken")).toHaveLength(1), 10_000)
    await vi.advanceTimersByTimeAsync(15_000)
    await expectHarmless(await asked, app)
    expect(app.log.errorMessages("EmailSignInError")).toEqual(["The e-mail could not be sent."])
  })
})

type SendVerificationRequest = EmailConfig["sendVerificationRequest"]

/** An application with an e-mail provider that does not use SMTP. */
function createAppWithMailer(
  send: SendVerificationRequest,
  options: EmailUserConfig = {},
): Promise<EmailApp> {
  const common = { id: "nodemailer", name: "Email", type: "email" } as const
  return createEmailApp({ providers: [{ ...common, sendVerificationRequest: send, options }] })
}

const faults: Readonly<Record<string, SendVerificationRequest>> = {
  "throws at once": () => {
    throw new Error("no mail server")
  },
  rejects: () => Promise.reject(new Error("no mail server")),
  "rejects later": () =>
    new Promise((_, reject) => void setImmediate(() => reject(new Error("no mail server")))),
  "rejects with something that is not an error": () => Promise.reject("no mail server"),
  "rejects with undefined": () => Promise.reject(),
}

describe("a mailer that", () => {
  test.each(Object.entries(faults))("%s causes an error", async (_, send) => {
    const app = await createAppWithMailer(send)
    await expectHarmless(await app.requestLink(app.openBrowser()), app)
    expect(app.log.errorCodes()).toEqual(["EmailSignInError"])
  })

  test("finishes after its timeout changes nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let link = ""
    let fail: (reason: Error) => void = () => undefined
    const app = await createAppWithMailer(({ url }) => {
      link = url
      return new Promise<void>((_, reject) => {
        fail = reject
      })
    })
    const ada = app.openBrowser()
    const asked = app.requestLink(ada)
    await vi.waitFor(() => expect(link).not.toBe(""), 10_000)
    await vi.advanceTimersByTimeAsync(15_000)
    await expectHarmless(await asked, app)
    fail(new Error("too late"))
    assertRefused(await openLink(ada, link))
  })

  test("fails while the database fails causes an error, and nobody receives the link", async () => {
    let post: EmailApp | undefined
    const app = await createAppWithMailer(() => {
      post?.failAllMethods()
      throw new Error("no mail server")
    })
    post = app
    assertRefused(await app.requestLink(app.openBrowser()))
    expect(app.log.errorCodes()).toEqual(["AdapterError", "EmailSignInError"])
  })
})

test("no e-mail is sent if the token could not be stored", async () => {
  const app = await createEmailApp()
  app.failMethod("createVerificationToken")
  const response = await app.requestLink(app.openBrowser())
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  expect(app.inbox.messages).toEqual([])
  await app.receiveLink(app.openBrowser())
})

test("the token is stored before the e-mail is sent", async () => {
  let storedThen: number | undefined
  let post: EmailApp | undefined
  post = await createAppWithMailer(() => {
    storedThen = post?.rows("VerificationToken").length
  })
  await post.requestLink(post.openBrowser())
  expect(storedThen).toBe(1)
})

test.each([
  ["throws", () => Promise.reject(new Error("no entropy"))],
  ["returns undefined", () => ""],
  ["returns more than fits into a link", () => "x".repeat(513)],
])("no e-mail is sent if `generateVerificationToken` %s", async (_, generateVerificationToken) => {
  const app = await createEmailApp({}, { generateVerificationToken })
  assertRefused(await app.requestLink(app.openBrowser()))
  expect(app.log.errorCodes()).toEqual(["EmailSignInError"])
  expect(app.inbox.messages).toEqual([])
  expect(app.countRows()).toEqual([0, 0, 0, 0])
})

test("the mailer receives everything that an e-mail needs, and the request with its fields", async () => {
  const got: Parameters<SendVerificationRequest>[0][] = []
  const app = await createAppWithMailer((request) => void got.push(request), {
    from: "hello@app.example",
  })
  await app.requestLink(
    app.openBrowser({ headers: { "accept-language": "de" } }),
    "ADA@example.com",
    {
      tone: "formal",
    },
  )
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
