import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type AuthConfig, createAuth, setEnvDefaults } from "@latchkey/core"
import type { EmailConfig, Provider } from "@latchkey/core/providers"
import forwardemail from "@latchkey/core/providers/forwardemail"
import loops from "@latchkey/core/providers/loops"
import mailgun from "@latchkey/core/providers/mailgun"
import postmark from "@latchkey/core/providers/postmark"
import resend from "@latchkey/core/providers/resend"
import sendgrid from "@latchkey/core/providers/sendgrid"
import { totp } from "@latchkey/core/second-factor"
import { createTestBrowser, getRedirectError } from "@latchkey/testing"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { showCode } from "../support/factor-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const apiKey = "key-of-the-mail-service"
const from = "Example <hello@mail.example.com>"
const basicAuth = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`

/** The link, the text with it, and the other parts of the e-mail. */
interface SentMail {
  readonly link: string
  readonly text: unknown
  readonly html: unknown
}

/** A mail service, and the request that its documentation describes. */
interface MailServiceFixture {
  readonly id: string
  readonly create: (options: { apiKey?: string; from?: string }) => EmailConfig
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly expectedBody: (mail: SentMail) => object
  readonly accepted: { readonly status: number; readonly body: string }
  readonly refusal: object
}

const common = { from, to: "ada@example.com", subject: "Sign in to app.example" }
const unauthorized = "The API key is invalid"

const fixtures: readonly MailServiceFixture[] = [
  {
    id: "resend",
    create: resend,
    url: "https://api.resend.com/emails",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    expectedBody: ({ text, html }) => ({ ...common, text, html }),
    accepted: { status: 200, body: '{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}' },
    refusal: { statusCode: 401, name: "validation_error", message: unauthorized },
  },
  {
    id: "sendgrid",
    create: sendgrid,
    url: "https://api.sendgrid.com/v3/mail/send",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    expectedBody: ({ text, html }) => ({
      personalizations: [{ to: [{ email: common.to }] }],
      from: { email: "hello@mail.example.com", name: "Example" },
      subject: common.subject,
      content: [
        { type: "text/plain", value: text },
        { type: "text/html", value: html },
      ],
      tracking_settings: { click_tracking: { enable: false, enable_text: false } },
    }),
    accepted: { status: 202, body: "" },
    refusal: { errors: [{ message: unauthorized, field: null, help: null }] },
  },
  {
    id: "postmark",
    create: postmark,
    url: "https://api.postmarkapp.com/email",
    headers: {
      "x-postmark-server-token": apiKey,
      accept: "application/json",
      "content-type": "application/json",
    },
    expectedBody: ({ text, html }) => ({
      From: from,
      To: common.to,
      Subject: common.subject,
      TextBody: text,
      HtmlBody: html,
      TrackLinks: "None",
    }),
    accepted: { status: 200, body: '{"ErrorCode":0,"Message":"OK","MessageID":"b7bc2f4a"}' },
    refusal: { ErrorCode: 10, Message: unauthorized },
  },
  {
    id: "mailgun",
    create: mailgun,
    url: "https://api.mailgun.net/v3/mail.example.com/messages",
    headers: { authorization: basicAuth(`api:${apiKey}`) },
    expectedBody: ({ text, html }) => ({ ...common, text, html, "o:tracking-clicks": "no" }),
    accepted: { status: 200, body: '{"id":"<2024@mail.example.com>","message":"Queued."}' },
    refusal: { message: unauthorized },
  },
  {
    id: "forwardemail",
    create: forwardemail,
    url: "https://api.forwardemail.net/v1/emails",
    headers: { authorization: basicAuth(`${apiKey}:`), "content-type": "application/json" },
    expectedBody: ({ text, html }) => ({ ...common, text, html }),
    accepted: { status: 200, body: '{"id":"123","object":"email"}' },
    refusal: { statusCode: 401, error: "Unauthorized", message: unauthorized },
  },
  {
    id: "loops",
    create: (options) => loops({ ...options, transactionalId: "cm4t1suns001uw6atri87v54s" }),
    url: "https://app.loops.so/api/v1/transactional",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    expectedBody: ({ link }) => ({
      transactionalId: "cm4t1suns001uw6atri87v54s",
      email: common.to,
      dataVariables: { url: link },
    }),
    accepted: { status: 200, body: '{"success":true}' },
    refusal: { success: false, message: unauthorized },
  },
]

interface ReceivedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** How the server handles a request: with this response, or never. */
type Answer = { status: number; body: string; headers?: Record<string, string> } | "hang"

/** Starts an HTTP server that stands at the addresses of all services, and records what it receives. */
async function startMailService(answer: Answer) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const headers = new Headers(incoming.headers as Record<string, string>)
    const body = await readBody(new Response(Buffer.concat(chunks), { headers }))
    const url = `https://${headers.get("x-original-host")}${incoming.url}`
    requests.push({ url, method: incoming.method ?? "", headers, body })
    if (answer !== "hang") outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const realFetch = globalThis.fetch
  vi.stubGlobal("fetch", (input: string, init: RequestInit) => {
    const { host, pathname, search } = new URL(input)
    const headers = { ...(init.headers as Record<string, string>), "x-original-host": host }
    return realFetch(origin + pathname + search, { ...init, headers })
  })
  return requests
}

async function readBody(response: Response): Promise<unknown> {
  const isForm = response.headers.get("content-type")?.startsWith("multipart/form-data")
  return isForm ? Object.fromEntries(await response.formData()) : response.json()
}

async function createMailApp(provider: Provider) {
  const { adapter, countRows } = await createTestDatabase()
  const app = createTestApp({ adapter, providers: [provider] })
  return { ...app, countRows, ada: app.openBrowser() }
}

/** Returns the link of the e-mail, and its bodies. */
function findMail(body: unknown): SentMail {
  const texts = Object.values(JSON.parse(JSON.stringify(body)) as object).flatMap((value) =>
    typeof value === "object" ? Object.values(value ?? {}) : value,
  )
  const strings = texts.map((text) =>
    typeof text === "object" ? String((text as { value?: unknown })?.value) : String(text),
  )
  const link = strings.map((text) => /https:\/\/app\.example\/auth\/callback\S+/.exec(text)?.[0])
  return {
    link: link.find((found) => found !== undefined) ?? "",
    text: strings.find((text) => /^Sign in to app\.example\s/.test(text)),
    html: strings.find((text) => text.startsWith("<!DOCTYPE html>")),
  }
}

test("every mail service has a fixture and a row in the documentation", () => {
  const folder = new URL("../../src/providers/catalogue/", import.meta.url)
  const ids = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .filter((file) =>
      readFileSync(new URL(file, folder), "utf8").includes("../send-through-api.ts"),
    )
    .map((file) => file.replace(/\.ts$/, ""))
  expect(fixtures.map(({ id }) => id).sort()).toEqual(ids.sort())
  const documentation = readFileSync(new URL("../../../../docs/email.md", import.meta.url), "utf8")
  for (const id of ids)
    expect(documentation).toContain(`\`${id}\` | \`AUTH_${id.toUpperCase()}_KEY\``)
})

describe.each(fixtures)("$id", ({ id, create, url, headers, expectedBody, accepted, refusal }) => {
  test("sends the documented request, and the link in it signs in", async () => {
    const requests = await startMailService(accepted)
    const { ada, log } = await createMailApp(create({ apiKey, from }))
    const response = await ada.signIn(id, { email: "Ada@Example.com" })
    expect(response.headers.get("location"), log.toText()).toContain("/auth/verify-request")
    expect(requests).toHaveLength(1)
    const [request] = requests
    expect([request?.method, request?.url]).toEqual(["POST", url])
    for (const [name, value] of Object.entries(headers)) {
      expect([name, request?.headers.get(name)]).toEqual([name, value])
    }
    const mail = findMail(request?.body)
    expect(request?.body).toEqual(expectedBody(mail))
    await ada.open(mail.link)
    expect(await ada.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(log.toText()).not.toContain(apiKey)
  })

  test.runIf(id !== "loops")("sends other e-mails, as a mailer", async () => {
    const requests = await startMailService(accepted)
    const { adapter, createUser } = await createTestDatabase({ hasFactors: true })
    const config: AuthConfig = {
      adapter,
      providers: [],
      secondFactor: { methods: [totp()] },
      secret: "a secret of the tests, long enough for it",
      trustHost: true,
      mailer: create({ from }),
    }
    setEnvDefaults({ [`AUTH_${id.toUpperCase()}_KEY`]: apiKey }, config)
    const { id: userId } = await createUser()
    const { factors } = createAuth(config)
    const input = { userId, session: { createdAt: new Date() } }
    const { secret, setup } = await factors.startTotp(input)
    await factors.confirmTotp({ ...input, setup, code: await showCode(secret) })
    const [request] = requests
    expect([request?.method, request?.url]).toEqual(["POST", url])
    for (const [name, value] of Object.entries(headers))
      expect([name, request?.headers.get(name)]).toEqual([name, value])
    const body = JSON.stringify(request?.body)
    for (const part of [from, common.to, "Your account at mail.example.com has changed"])
      if (id !== "sendgrid" || part !== from) expect(body).toContain(part)
  })

  test("reports the message of the service, without the key and the link", async () => {
    const requests = await startMailService({ status: 401, body: JSON.stringify(refusal) })
    const { ada, log, countRows } = await createMailApp(create({ apiKey, from }))
    const response = await ada.signIn(id, { email: "ada@example.com" })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(log.errorCodes()).toEqual(["EmailSignInError"])
    expect(log.toText()).toContain(`${new URL(url).host} returned status 401: `)
    expect(log.toText()).toContain(unauthorized)
    const { link } = findMail(requests[0]?.body)
    const token = new URL(link).searchParams.get("token") ?? "no token"
    for (const secret of [apiKey, token]) expect(log.toText()).not.toContain(secret)
    expect(countRows()).toEqual([0, 0, 0, 0])
  })

  test("takes its key from the environment, and is left out without one", async () => {
    const requests = await startMailService(accepted)
    const config = { providers: [create({ from })] as Provider[] }
    setEnvDefaults({ [`AUTH_${id.toUpperCase()}_KEY`]: apiKey }, config)
    const { ada } = await createMailApp(config.providers[0] as Provider)
    await ada.signIn(id, { email: "ada@example.com" })
    expect(requests[0]?.headers.get(Object.keys(headers)[0] ?? "")).toBe(Object.values(headers)[0])

    const withoutKey = await createMailApp(create({ from }))
    const browser = createTestBrowser(withoutKey.handle)
    expect(await (await browser.open("/auth/providers")).json()).toEqual({})
    expect(withoutKey.log.toText()).toContain(`AUTH_${id.toUpperCase()}_KEY`)
  })
})

describe("a mail service that", () => {
  const faults: [string, Answer, RegExp][] = [
    ["limits requests", { status: 429, body: '{"message":"Too many requests"}' }, /status 429: /],
    ["fails", { status: 500, body: "{}" }, /api\.resend\.com returned status 500\./],
    ["fails with a page", { status: 502, body: "<html>Bad gateway" }, /returned status 502\./],
    ["repeats a broken message", { status: 400, body: '{"message":{"a":1}}' }, /status 400\./],
    [
      "redirects",
      { status: 307, body: "", headers: { location: "https://elsewhere.example/" } },
      /returned status 307\./,
    ],
  ]
  test.each(faults)(
    "%s receives one request, and nobody gets a link",
    async (_, answer, message) => {
      const requests = await startMailService(answer)
      const { ada, log, countRows } = await createMailApp(resend({ apiKey, from }))
      const response = await ada.signIn("resend", { email: "ada@example.com" })
      expect(getRedirectError(response)).toBe("Configuration")
      expect(log.toText()).toMatch(message)
      expect(requests).toHaveLength(1)
      expect(countRows()).toEqual([0, 0, 0, 0])
    },
  )

  test("repeats the key, the link and the address in its message does not get them logged", async () => {
    let message = ""
    const requests = await startMailService({
      status: 422,
      get body() {
        message = `${apiKey} ${JSON.stringify(requests[0]?.body)}`
        return JSON.stringify({ message })
      },
    })
    const { ada, log } = await createMailApp(resend({ apiKey, from }))
    await ada.signIn("resend", { email: "ada@example.com" })
    const { link } = findMail(requests[0]?.body)
    const token = new URL(link).searchParams.get("token") ?? "no token"
    expect(message).toContain(token)
    expect(log.toText()).toContain("returned status 422")
    for (const secret of [apiKey, token, "ada@example.com"]) {
      expect(log.toText()).not.toContain(secret)
    }
  })

  test("hangs is given up", async () => {
    const giveUp = new AbortController()
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(giveUp.signal)
    const requests = await startMailService("hang")
    const { ada, log, countRows } = await createMailApp(resend({ apiKey, from }))
    const pending = ada.signIn("resend", { email: "ada@example.com" })
    await vi.waitFor(() => expect(requests).toHaveLength(1), 10_000)
    giveUp.abort(new DOMException("Too late.", "TimeoutError"))
    expect(getRedirectError(await pending)).toBe("Configuration")
    expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000)
    expect(log.errorCodes()).toEqual(["EmailSignInError"])
    expect(countRows()).toEqual([0, 0, 0, 0])
  })
})

test.each([
  ["hello@example.com", { email: "hello@example.com" }],
  ['"Example, Inc." <hello@example.com>', { email: "hello@example.com", name: "Example, Inc." }],
  ["<hello@example.com>", { email: "hello@example.com" }],
])("SendGrid receives the sender %s in parts", async (sender, expected) => {
  const requests = await startMailService({ status: 202, body: "" })
  const { ada } = await createMailApp(sendgrid({ apiKey, from: sender }))
  await ada.signIn("sendgrid", { email: "ada@example.com" })
  expect(requests[0]?.body).toMatchObject({ from: expected })
})

test("the sender is an address at the host of the application by default", async () => {
  const requests = await startMailService({ status: 200, body: "{}" })
  const { ada } = await createMailApp(mailgun({ apiKey, region: "EU" }))
  await ada.signIn("mailgun", { email: "ada@example.com" })
  expect(requests[0]).toMatchObject({
    url: "https://api.eu.mailgun.net/v3/app.example/messages",
    body: { from: "no-reply@app.example" },
  })
})

test.each([undefined, ""])(
  "Loops is refused without an e-mail of its own: %j",
  (transactionalId) => {
    expect(() => loops({ transactionalId })).toThrow(/requires `transactionalId`/)
  },
)

test("Loops receives the code only if the application's e-mail shows it", async () => {
  const requests = await startMailService({ status: 200, body: '{"success":true}' })
  const transactionalId = "cm4t1suns001uw6atri87v54s"
  for (const sendsCode of [undefined, true]) {
    const { ada } = await createMailApp(loops({ apiKey, from, transactionalId, sendsCode }))
    await ada.signIn("loops", { email: "ada@example.com" })
  }
  const [plain, withCode] = requests.map(({ body }) => (body as LoopsBody).dataVariables)
  expect(Object.keys(plain ?? {})).toEqual(["url"])
  expect(withCode?.["code"]).toMatch(/^\d{6}$/)
})

interface LoopsBody {
  readonly dataVariables: Readonly<Record<string, string>>
}
