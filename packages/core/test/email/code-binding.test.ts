/** To which browser, address, link and secret a code belongs. */
import type { EmailConfig } from "@latchkey/core/providers"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  address,
  changeCode,
  createCodeApp,
  enterCode,
  enterCodeForLink,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"
import { createTestApp, testAppSecret } from "../support/test-app.ts"

const markerPrefix = "__Host-authjs.email-request."
const invalid = { error: "Verification", reason: "invalid" }

const getMarker = ({ cookies }: TestBrowser) => {
  const marker = [...cookies].find(({ name }) => name.startsWith(markerPrefix))
  if (!marker) throw new Error("The browser has no marker.")
  return marker
}

const plant = (browser: TestBrowser, name: string, value: string): void =>
  void browser.cookies.setUnchecked(browser.origin, `${name}=${value}; Path=/; Secure`)

describe("a code", () => {
  test("is worth nothing in a browser that did not request it", async () => {
    const app = await createCodeApp()
    const { code } = await app.receive(app.openBrowser())
    const mallory = app.openBrowser()
    expect(getCodeProblem(await enterCode(mallory, code))).toEqual(invalid)
    await app.receive(mallory, "mallory@example.com")
    expect(getCodeProblem(await enterCode(mallory, code))).toEqual(invalid)
    expect(await getAddress(mallory)).toBeNull()
  })

  test("is worth nothing for another address of the same browser", async () => {
    const app = await createCodeApp()
    const mallory = app.openBrowser()
    const { code } = await app.receive(mallory, "mallory@example.com")
    await app.receive(mallory)
    await enterCode(mallory, code)
    await enterCode(mallory, code, { email: "eve@example.com" })
    expect(await getAddress(mallory)).toBeNull()
  })

  test("is refused alike for an address with a user and one without", async () => {
    const app = await createCodeApp()
    await app.createUser()
    const [known, unknown] = await Promise.all(
      [address, "nobody@example.com"].map(async (email) => {
        const response = await enterCode(app.openBrowser(), "123456", { email })
        return [response.status, response.headers.get("location")]
      }),
    )
    expect(known).toEqual(unknown)
  })

  test("of a provider is worth nothing at another one", async () => {
    const app = await createCodeApp()
    const [email] = app.config.providers as EmailConfig[]
    Object.assign(app.config, { providers: [email, { ...email, id: "other" }] })
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    const fields = { email: address, code, csrfToken: await ada.getCsrfToken() }
    await ada.post("/auth/callback/other", fields)
    expect(await getAddress(ada)).toBeNull()
  })

  test("is worth nothing with a link that another request led to", async () => {
    const app = await createCodeApp()
    const first = await app.receive(app.openBrowser())
    const second = await app.receive(app.openBrowser())
    const other = app.openBrowser()
    await enterCodeForLink(other, first.link, second.code)
    const changed = new URL(second.link)
    changed.searchParams.set("email", "eve@example.com")
    await enterCodeForLink(other, changed, second.code)
    expect(await getAddress(other)).toBeNull()
  })
})

describe("a marker", () => {
  test("under the name of another one counts for nothing", async () => {
    const app = await createCodeApp()
    const [mallory, victim] = [app.openBrowser(), app.openBrowser()]
    const { code } = await app.receive(mallory, "mallory@example.com")
    await app.receive(victim)
    plant(victim, getMarker(victim).name, getMarker(mallory).value)
    await enterCode(victim, code, { email: "mallory@example.com" })
    expect(await getAddress(victim)).toBeNull()
  })

  test("that a sub-domain can plant counts for nothing", async () => {
    const app = await createCodeApp()
    const [mallory, victim] = [app.openBrowser(), app.openBrowser()]
    const { link, code } = await app.receive(mallory, "mallory@example.com")
    const { name, value } = getMarker(mallory)
    for (const prefix of ["", "__Secure-"]) plant(victim, name.replace("__Host-", prefix), value)
    await enterCode(victim, code, { email: "mallory@example.com" })
    expect((await victim.open(link)).status).toBe(200)
    expect(await getAddress(victim)).toBeNull()
  })

  test("whose name begins with white space that browsers do not know counts for nothing", async () => {
    const app = await createCodeApp()
    const mallory = app.openBrowser()
    const { link } = await app.receive(mallory, "mallory@example.com")
    const { name, value } = getMarker(mallory)
    const open = (cookie: string) => app.handle(new Request(link, { headers: { cookie } }))
    expect((await open(`a=b; \u00a0${name}=${value}`)).status).toBe(200)
    expect(app.rows("Session")).toEqual([])
    expect((await open(`a=b; \t${name}=${value}`)).status).toBe(302)
  })

  test("that was changed, or belongs to another deployment, counts for nothing", async () => {
    const app = await createCodeApp()
    const other = await createCodeApp({}, { secret: "the secret of another deployment, long" })
    const [ada, mallory] = [app.openBrowser(), other.openBrowser()]
    const { code } = await other.receive(mallory)
    await app.receive(ada)
    const { name, value } = getMarker(mallory)
    plant(ada, name, value)
    const own = getMarker(ada)
    plant(ada, own.name, `${own.value.slice(0, -4)}AAAA`)
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBeNull()
  })
})

test("a link that an attacker forwards signs nobody in as the attacker without the code", async () => {
  const app = await createCodeApp()
  await app.receive(app.openBrowser(), "warm-up@example.com")
  const { link } = await app.receive(app.openBrowser(), "mallory@example.com")
  const victim = app.openBrowser()
  expect((await victim.open(link)).status).toBe(200)
  await victim.post(link, { csrfToken: await victim.getCsrfToken() })
  expect(await getAddress(victim)).toBeNull()
})

describe("the form in which a link is stored", () => {
  test.each([true, false])("depends on `sendsCode: %s`", async (sendsCode) => {
    const app = await createCodeApp({ sendsCode })
    const { link, code } = await app.receive(app.openBrowser())
    expect(code).toMatch(sendsCode ? /^\d{6}$/ : /^$/)
    expect(app.rows("VerificationToken")).toHaveLength(sendsCode ? 2 : 1)
    const other = app.openBrowser()
    await other.post(link, { csrfToken: await other.getCsrfToken() })
    expect(await getAddress(other)).toBe(sendsCode ? null : address)
  })

  test("is that without a code for a function that does not say that it sends the code", async () => {
    const requests: object[] = []
    const app = await createCodeApp({
      sendVerificationRequest: (request) => void requests.push(request),
    })
    await app.receive(app.openBrowser())
    expect(app.rows("VerificationToken")).toHaveLength(1)
    expect(requests).toHaveLength(1)
    expect(requests[0]).not.toHaveProperty("code")
  })

  test("tells nothing about the code to who reads the database", async () => {
    const app = await createCodeApp()
    const { code } = await app.receive(app.openBrowser())
    const stored = app.rows("VerificationToken")
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain(code)
    for (const { token } of stored) expect(token).toMatch(/^[\da-f]{64}$/)
  })
})

describe("with `allowAnyBrowser`", () => {
  const openApp = async (options: Partial<EmailConfig> = {}) => {
    const app = await createCodeApp({ allowAnyBrowser: true, ...options })
    return { app, sent: await app.receive(app.openBrowser()) }
  }

  test("every browser uses the link at once", async () => {
    const { app, sent } = await openApp()
    const other = app.openBrowser()
    await other.open(sent.link)
    expect(await getAddress(other)).toBe(address)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("the code works in the browser that requested it", async () => {
    const app = await createCodeApp({ allowAnyBrowser: true })
    const ada = app.openBrowser()
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBe(address)
  })

  test.each([{ "sec-purpose": "prefetch" }, { "sec-fetch-dest": "image" }])(
    "a request with %j does not use the link",
    async (headers) => {
      const { app, sent } = await openApp()
      const other = app.openBrowser()
      await other.open(sent.link, { headers })
      expect(await getAddress(other)).toBeNull()
      await other.open(sent.link)
      expect(await getAddress(other)).toBe(address)
    },
  )

  test("a short token still works in the browser that requested it only", async () => {
    const { app, sent } = await openApp({ generateVerificationToken: () => "123456" })
    const other = app.openBrowser()
    await other.open(sent.link)
    expect(await getAddress(other)).toBeNull()
  })
})

describe("while the secret changes, a code", () => {
  const next = "the next secret of this application, long"

  test.each([
    ["of the application", {}],
    ["of the provider", { secret: "a secret for links alone, long enough" }],
  ])("keeps working and its attempts count on, with the secret %s", async (_, options) => {
    const app = await createCodeApp(options)
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    await enterCode(ada, changeCode(code))
    const [provider] = app.config.providers as EmailConfig[]
    const secrets = [next, provider?.secret ?? testAppSecret].flat()
    if (provider?.secret) provider.secret = secrets
    else app.config.secret = secrets
    const response = await enterCode(ada, changeCode(code, 2))
    expect(getCodeProblem(response)).toMatchObject({ attempts: "3" })
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("works with its link in another browser", async () => {
    const app = await createCodeApp()
    const { link, code } = await app.receive(app.openBrowser())
    const rotated = createTestApp({ ...app.config, secret: [next, testAppSecret] }).openBrowser()
    await enterCodeForLink(rotated, link, code)
    expect(await getAddress(rotated)).toBe(address)
  })

  test("is worth nothing once its secret is gone", async () => {
    const app = await createCodeApp()
    const { link, code } = await app.receive(app.openBrowser())
    const other = createTestApp({ ...app.config, secret: next }).openBrowser()
    await enterCodeForLink(other, link, code)
    expect(await getAddress(other)).toBeNull()
  })
})
