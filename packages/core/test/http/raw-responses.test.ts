/** `raw`: the result before it becomes a `Response`, for authors of framework packages (protocol 1.5). */
import { Auth, type RawResponse, raw, serializeCookie } from "@latchkey/core"
import { AuthError, CredentialsSignin, MissingCSRF, UntrustedHost } from "@latchkey/core/errors"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { asUntypedConfig } from "../support/broken-configurations.ts"
import {
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

/** Opens a browser whose requests to `path` get raw results; others are handled as usual. */
function openRawBrowser(config: TestSiteConfig, path: string) {
  const responses: RawResponse[] = []
  const errors: unknown[] = []
  const testBrowser = createTestBrowser(async (request) => {
    if (new URL(request.url).pathname !== path) return Auth(request, config)
    try {
      const response = await Auth(request, { ...config, raw })
      responses.push(response)
      const headers = new Headers(response.cookies?.map((c) => ["set-cookie", serializeCookie(c)]))
      return new Response(null, { headers })
    } catch (error) {
      errors.push(error)
      return new Response(null)
    }
  })
  return { browser: testBrowser, responses, errors }
}

/** Sends a form with its token. */
async function submitForm(
  config: TestSiteConfig,
  route: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const path = `/auth/${route}`
  const { browser, ...kept } = openRawBrowser(config, path)
  await browser.post(path, { csrfToken: await browser.getCsrfToken(), ...fields }, { headers })
  return { ...kept, browser }
}

describe("raw", () => {
  test.each([true, "raw", Symbol("latchkey.raw"), null, undefined])(
    "is the library's own symbol: %s still returns a Response",
    async (value) => {
      const { config } = createMinimalSite(asUntypedConfig({ raw: value }))
      expect(await sendRequest(config, "/auth/session")).toBeInstanceOf(Response)
    },
  )

  test("a redirect is an object with `redirect` and its cookies", async () => {
    const { config } = createMinimalSite()
    const { responses, browser } = await submitForm(
      config,
      "callback/credentials",
      validCredentials,
    )
    expect(responses).toHaveLength(1)
    expect(responses[0]?.redirect).toBe(siteOrigin)
    expect(responses[0]?.headers?.get("location")).toBe(siteOrigin)
    expect(responses[0]?.cookies).toContainEqual({
      name: "__Secure-authjs.session-token",
      value: expect.stringMatching(/^ey/),
      options: expect.objectContaining({
        httpOnly: true,
        secure: true,
        sameSite: "lax",
        path: "/",
      }),
    })
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("JSON is the data itself", async () => {
    const { config } = createMinimalSite()
    const get = (action: string) =>
      Auth(new Request(`${siteOrigin}/auth/${action}`), { ...config, raw })
    expect(await get("session")).toMatchObject({ status: 200, body: null })
    expect(await get("csrf")).toMatchObject({
      status: 200,
      body: { csrfToken: expect.any(String) },
    })
    expect((await get("providers")).body).toHaveProperty("credentials.type", "credentials")
  })

  test("a page is its HTML, with its headers", async () => {
    const { config } = createMinimalSite()
    const response = await Auth(new Request(`${siteOrigin}/auth/signin`), { ...config, raw })
    expect(response).toMatchObject({ status: 200, body: expect.stringMatching(/^<!DOCTYPE html>/) })
    expect(response.headers?.get("content-type")).toMatch(/^text\/html/)
    expect(response.headers?.get("set-cookie")).toBeNull()
    expect(response.cookies?.map(({ name }) => name)).toEqual([
      "__Secure-authjs.callback-url",
      "__Host-authjs.csrf-token",
    ])
  })

  test.each<[string, Record<string, string>, new () => AuthError]>([
    ["callback/credentials", { ...validCredentials, word: "wrong" }, CredentialsSignin],
    ["signout", { csrfToken: "" }, MissingCSRF],
  ])("an error of the library is thrown: %s", async (route, fields, type) => {
    const { config, log } = createMinimalSite()
    const { errors } = await submitForm(config, route, fields)
    expect(errors).toEqual([expect.any(type)])
    expect(log.errorCodes).toEqual([type.name])
  })

  test("an error is a response if the client sends X-Auth-Return-Redirect", async () => {
    const { config } = createMinimalSite()
    const headers = { "x-auth-return-redirect": "1" }
    const wrong = { ...validCredentials, word: "wrong" }
    const { responses, errors } = await submitForm(config, "callback/credentials", wrong, headers)
    expect(errors).toEqual([])
    expect(JSON.stringify(responses)).toContain("error=CredentialsSignin")
  })

  test("any other failure has the same shape", async () => {
    const callbacks = {
      signIn: () => {
        throw new RangeError("no")
      },
    }
    const { config, provider } = await createTestSite({ callbacks })
    const { browser, responses, errors } = openRawBrowser(config, "/auth/callback/scripted")
    await browser.signIn(provider)
    expect([...responses, ...errors]).toHaveLength(1)
    for (const response of responses) expect(response).not.toBeInstanceOf(Response)
    for (const error of errors) expect(error).toBeInstanceOf(AuthError)
  })

  test("an invalid configuration and an invalid request have the same shape", async () => {
    const { config } = createMinimalSite({ trustHost: false })
    const broken = Auth(new Request(`${siteOrigin}/auth/session`), { ...config, raw })
    await expect(broken).rejects.toBeInstanceOf(UntrustedHost)
    const unknown = await Auth(new Request(`${siteOrigin}/auth/nothing`), { ...config, raw })
    expect(unknown).toMatchObject({ status: 400, body: "Bad request." })
    expect(unknown).not.toBeInstanceOf(Response)
  })
})
