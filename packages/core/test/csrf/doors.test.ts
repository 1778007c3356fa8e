import type { JWT } from "@latchkey/core/types"
import { assertRefused, type Browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { type People, password, people } from "../support/people.ts"

const cookie = "__Host-authjs.csrf-token"
const hex = "0".repeat(64)

/** Every form that changes something, with the fields it works with. */
const doors: Record<string, { path: string; fields: Record<string, string> }> = {
  "sign-in": { path: "signin/scripted", fields: {} },
  "sign-in without a provider": { path: "signin", fields: {} },
  "sign-out": { path: "signout", fields: {} },
  "session update": { path: "session", fields: { data: "new" } },
  credentials: { path: "callback/credentials", fields: { name: "bob", password } },
}

type Sent = { query?: string; form?: Record<string, string>; json?: Record<string, unknown> }

/** Every way to fail to prove that the form is the site's own. */
const forgeries: Record<string, (who: Browser, token: string) => Sent> = {
  "no token": () => ({ form: {} }),
  "an empty token": () => ({ form: { csrfToken: "" } }),
  "a wrong token": () => ({ form: { csrfToken: hex } }),
  "a token in upper case": (_, token) => ({ form: { csrfToken: token.toUpperCase() } }),
  "a token that is longer": (_, token) => ({ form: { csrfToken: `${token}0` } }),
  "the whole cookie as token": (who) => ({
    form: { csrfToken: decodeURIComponent(who.cookies.get(cookie)?.value ?? "") },
  }),
  "the token in the query": (_, token) => ({ query: `?csrfToken=${token}`, form: {} }),
  "the token in an array": (_, token) => ({ json: { csrfToken: [token] } }),
  "the token in an object": (_, token) => ({ json: { csrfToken: { token } } }),
  "true as token": () => ({ json: { csrfToken: true } }),
  "a number as token": () => ({ json: { csrfToken: 0 } }),
  "null as token": () => ({ json: { csrfToken: null } }),
  "the token under `__proto__`": (_, token) => ({
    json: JSON.parse(`{"__proto__":{"csrfToken":"${token}"}}`),
  }),
  "a missing cookie": (who, token) => {
    who.cookies.delete(cookie)
    return { form: { csrfToken: token } }
  },
  "an empty pair": (who) => planted(who, "", ""),
  "a pair of two empty halves": (who) => planted(who, "|", ""),
  "a cookie without a hash": (who) => planted(who, hex, hex),
  "a cookie with an empty hash": (who) => planted(who, `${hex}|`, hex),
  "a cookie whose hash is its token": (who) => planted(who, `${hex}|${hex}`, hex),
  "a cookie with a third part": (who, token) => {
    const pair = decodeURIComponent(who.cookies.get(cookie)?.value ?? "")
    return planted(who, `${pair}|${hex}`, token)
  },
}

function planted(who: Browser, pair: string, csrfToken: string): Sent {
  who.cookies.delete(cookie)
  who.cookies.plant(who.origin, `${cookie}=${encodeURIComponent(pair)}; Path=/; Secure`)
  return { form: { csrfToken } }
}

async function application() {
  const provider = await scriptedProvider()
  const jwt = vi.fn(({ token }: { token: JWT }) => token)
  const base = people()
  const providers = [...base.config.providers, provider.asOidc()]
  const app: People = people({ providers, callbacks: { jwt } })
  const alice = await app.signedIn()
  jwt.mockClear()
  base.attempts.length = 0
  return { provider, jwt, attempts: base.attempts, alice, token: await alice.csrf() }
}

function send(who: Browser, path: string, { query = "", form, json }: Sent): Promise<Response> {
  const target = who.path(path + query)
  if (form) return who.post(target, form)
  const headers = { "content-type": "application/json" }
  return who.fetch(target, { method: "POST", headers, body: JSON.stringify(json) })
}

describe.each(Object.entries(doors))("28 a %s form", (_, { path, fields }) => {
  test.each(Object.entries(forgeries))("is refused with %s", async (_name, forgery) => {
    const { provider, jwt, attempts, alice, token } = await application()
    const sent = forgery(alice, token)
    const answer = await send(alice, path, {
      ...sent,
      ...(sent.form ? { form: { ...fields, ...sent.form } } : {}),
      ...(sent.json ? { json: { ...fields, ...sent.json } } : {}),
    })
    assertRefused(answer)
    expect(attempts).toEqual([])
    expect(provider.requests).toEqual([])
    expect(jwt).not.toHaveBeenCalled()
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("works with the token of this browser", async () => {
    const { alice, token } = await application()
    const answer = await send(alice, path, { form: { ...fields, csrfToken: token } })
    expect(() => assertRefused(answer)).toThrow()
  })
})

test("28 the refusal says what happened: 400 and null to scripts, the sign-in page to people", async () => {
  const { alice } = await application()
  const update = await alice.fetch(alice.path("session"), { method: "POST" })
  expect([update.status, await update.json()]).toEqual([400, null])
  for (const path of ["signin/scripted", "signout", "callback/credentials"]) {
    const answer = await alice.post(alice.path(path), {})
    expect(answer.headers.get("location")).toBe("https://app.example/auth/signin?error=MissingCSRF")
  }
})
