/** `raw`: the answer before it becomes a `Response`, for authors of framework packages (protocol 1.5). */
import { Auth, type RawResponse, raw, serializeCookie } from "@latchkey/core"
import { AuthError, CredentialsSignin, MissingCSRF, UntrustedHost } from "@latchkey/core/errors"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { untyped } from "../support/broken-configurations.ts"
import { ask, bareSite, home, rightWord, type SiteConfig, site } from "../support/front-door.ts"

/** Opens a browser whose requests to `path` are answered in raw mode; the rest as always. */
function rawAt(config: SiteConfig, path: string) {
  const answers: RawResponse[] = []
  const errors: unknown[] = []
  const visitor = browser(async (request) => {
    if (new URL(request.url).pathname !== path) return Auth(request, config)
    try {
      const answer = await Auth(request, { ...config, raw })
      answers.push(answer)
      const headers = new Headers(answer.cookies?.map((c) => ["set-cookie", serializeCookie(c)]))
      return new Response(null, { headers })
    } catch (error) {
      errors.push(error)
      return new Response(null)
    }
  })
  return { visitor, answers, errors }
}

/** Sends a form with its token. */
async function submit(
  config: SiteConfig,
  route: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const path = `/auth/${route}`
  const { visitor, ...kept } = rawAt(config, path)
  await visitor.post(path, { csrfToken: await visitor.csrf(), ...fields }, { headers })
  return { ...kept, visitor }
}

describe("raw", () => {
  test.each([true, "raw", Symbol("latchkey.raw"), null, undefined])(
    "is the library's own symbol: %s still answers with a Response",
    async (value) => {
      const { config } = bareSite(untyped({ raw: value }))
      expect(await ask(config, "/auth/session")).toBeInstanceOf(Response)
    },
  )

  test("a redirect is a `redirect`, with its cookies beside it", async () => {
    const { config } = bareSite()
    const { answers, visitor } = await submit(config, "callback/credentials", rightWord)
    expect(answers).toHaveLength(1)
    expect(answers[0]?.redirect).toBe(home)
    expect(answers[0]?.cookies).toContainEqual({
      name: "__Secure-authjs.session-token",
      value: expect.stringMatching(/^ey/),
      options: expect.objectContaining({
        httpOnly: true,
        secure: true,
        sameSite: "lax",
        path: "/",
      }),
    })
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("data is the data itself", async () => {
    const { config } = bareSite()
    const get = (action: string) => Auth(new Request(`${home}/auth/${action}`), { ...config, raw })
    expect(await get("session")).toMatchObject({ status: 200, body: null })
    expect(await get("csrf")).toMatchObject({
      status: 200,
      body: { csrfToken: expect.any(String) },
    })
    expect((await get("providers")).body).toHaveProperty("credentials.type", "credentials")
  })

  test("a page is its text, with its headers", async () => {
    const { config } = bareSite()
    const answer = await Auth(new Request(`${home}/auth/signin`), { ...config, raw })
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^<!DOCTYPE html>/) })
    expect(answer.headers?.get("content-type")).toMatch(/^text\/html/)
    expect(answer.headers?.get("set-cookie")).toBeNull()
    expect(answer.cookies?.map(({ name }) => name)).toEqual([
      "__Secure-authjs.callback-url",
      "__Host-authjs.csrf-token",
    ])
  })

  test.each<[string, Record<string, string>, new () => AuthError]>([
    ["callback/credentials", { ...rightWord, word: "wrong" }, CredentialsSignin],
    ["signout", { csrfToken: "" }, MissingCSRF],
  ])("an error of the library reaches the caller: %s", async (route, fields, type) => {
    const { config, log } = bareSite()
    const { errors } = await submit(config, route, fields)
    expect(errors).toEqual([expect.any(type)])
    expect(log.errors).toEqual([type.name])
  })

  test("an error is an answer when the client asks to be told where to go", async () => {
    const { config } = bareSite()
    const headers = { "x-auth-return-redirect": "1" }
    const wrong = { ...rightWord, word: "wrong" }
    const { answers, errors } = await submit(config, "callback/credentials", wrong, headers)
    expect(errors).toEqual([])
    expect(JSON.stringify(answers)).toContain("error=CredentialsSignin")
  })

  test("what else fails has the one shape too", async () => {
    const callbacks = {
      signIn: () => {
        throw new RangeError("no")
      },
    }
    const { config, provider } = await site({ callbacks })
    const { visitor, answers, errors } = rawAt(config, "/auth/callback/scripted")
    await visitor.signIn(provider)
    expect([...answers, ...errors]).toHaveLength(1)
    for (const answer of answers) expect(answer).not.toBeInstanceOf(Response)
    for (const error of errors) expect(error).toBeInstanceOf(AuthError)
  })

  test("a broken configuration and a request that is none have it as well", async () => {
    const { config } = bareSite({ trustHost: false })
    const broken = Auth(new Request(`${home}/auth/session`), { ...config, raw })
    await expect(broken).rejects.toBeInstanceOf(UntrustedHost)
    const unknown = await Auth(new Request(`${home}/auth/nothing`), { ...config, raw })
    expect(unknown).toMatchObject({ status: 400, body: "Bad request." })
    expect(unknown).not.toBeInstanceOf(Response)
  })
})
