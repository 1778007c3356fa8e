/** What a `jwt` callback changed may exist nowhere else: a fault after it does not lose it, and lets nobody in. */
import { createAuth, type OnFault } from "@latchkey/core"
import { decode, encode as encodeToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { type Browser, errorOf, scriptedProvider } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { type Config, people, secret, sessionCookie, storedPeople } from "../support/people.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const claimsOf = (alice: Browser) =>
  decode({ token: sessionCookie(alice), secret, salt: sessionName })

/** Callbacks that change the token with each access. `session` fails in the way that it is told. */
function rotating() {
  const state = { generation: 0, size: 0, fault: () => {} }
  const callbacks: NonNullable<Config["callbacks"]> = {
    jwt: ({ token, trigger, session }) => {
      if (trigger === "update") return { ...token, ...(session as JWT) }
      return { ...token, generation: ++state.generation, filling: "x".repeat(state.size) }
    },
    async session({ session }) {
      await state.fault()
      return session
    },
  }
  return { state, callbacks }
}

const down = (): never => {
  throw new Error("the database is down")
}

describe("a `session` callback that fails after the `jwt` callback changed the token", () => {
  test.each([
    ["into one cookie", 0, 0],
    ["into several cookies", 0, 9000],
    ["from several cookies into one", 9000, 0],
  ])("loses nothing of it: %s", async (_, before, after) => {
    const { state, callbacks } = rotating()
    state.size = before
    const alice = await people({ callbacks }).signedIn()
    Object.assign(state, { size: after, fault: down })
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(await claimsOf(alice)).toMatchObject({ generation: 2, sub: "user-ada" })
    state.fault = () => {}
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("sends the browser no cookie where nothing changed", async () => {
    const alice = await people({ callbacks: { session: down } }).signedIn()
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookies).toEqual([])
  })

  test("or never answers, keeps nothing: meanwhile somebody else may have signed in", async () => {
    const { state, callbacks } = rotating()
    const alice = await people({ callbacks }).signedIn()
    state.fault = () => new Promise<void>(() => undefined) as never
    const [now, wait] = [performance.now.bind(performance), globalThis.setTimeout]
    const soon = (run: () => void, delay?: number) => wait(run, delay === 250 ? 1 : delay)
    vi.stubGlobal("setTimeout", Object.assign(soon, wait))
    vi.spyOn(performance, "now").mockImplementation(() => now() * 300)
    expect((await alice.open("/auth/session")).status).toBe(503)
    expect(alice.setCookies).toEqual([])
  })

  test("seals a token once, and again where the other callback changed it, too", async () => {
    const encode = vi.fn(encodeToken)
    const { callbacks } = rotating()
    const { session } = callbacks
    const alice = await people({ callbacks, jwt: { encode, decode } }).signedIn()
    encode.mockClear()
    await alice.session()
    expect(encode).toHaveBeenCalledTimes(1)
    callbacks.session = (params) => {
      params.token["seen"] = true
      return session?.(params) ?? params.session
    }
    await alice.session()
    expect(await claimsOf(alice)).toMatchObject({ generation: 3, seen: true })
  })

  test("leaves the session as it was where it refuses an update", async () => {
    const { state, callbacks } = rotating()
    const alice = await people({ callbacks }).signedIn()
    await alice.csrf()
    const before = sessionCookie(alice)
    state.fault = down
    expect((await alice.update({ role: "admin" })).status).toBe(503)
    expect(sessionCookie(alice)).toBe(before)
    state.fault = () => {}
    expect((await alice.update({ role: "admin" })).status).toBe(200)
    expect(await claimsOf(alice)).toMatchObject({ role: "admin" })
  })
})

describe("code that asks for the session", () => {
  async function asked(onFault: OnFault) {
    const { state, callbacks } = rotating()
    const { config, signedIn } = people({ callbacks })
    const cookie = `${sessionName}=${sessionCookie(await signedIn())}`
    state.fault = down
    const headers = new Headers({ cookie })
    return createAuth(config).session(headers, "https://app.example/", onFault)
  }

  test("gets the cookies along with the fault", async () => {
    const names: string[] = []
    const answer = asked((cookies) => void names.push(...cookies.map(({ name }) => name)))
    await expect(answer).rejects.toMatchObject({ type: "JWTSessionError" })
    expect(names).toEqual([sessionName])
  })

  test("hears of the fault, though its own answer is on its way", async () => {
    const late = () => {
      throw new Error("headers are sent")
    }
    await expect(asked(late)).rejects.toMatchObject({ type: "JWTSessionError" })
    // What nobody waits for must not end the process either.
    await expect(asked(async () => late())).rejects.toMatchObject({ type: "JWTSessionError" })
  })
})

describe("when an account is added", () => {
  async function linking() {
    const provider = await scriptedProvider({ user: { sub: "second", email: "a@second.example" } })
    const { state, callbacks } = rotating()
    const app = await storedPeople({
      providers: [...people().config.providers, provider.asOidc()],
      session: { strategy: "jwt" },
      callbacks,
    })
    const alice = await app.signedIn()
    const begun = await alice.begin(provider, { link: "true" })
    const answer = () => alice.open(provider.approve(begun))
    return { app, alice, provider, answer, state, callbacks }
  }

  test("a refusal keeps what the callback changed", async () => {
    const { app, alice, provider, answer, state } = await linking()
    await app.adapter.linkAccount({
      userId: "user-bob",
      type: "oidc",
      provider: provider.id,
      providerAccountId: "second",
    })
    const { generation } = state
    expect(errorOf(await answer())).toBe("OAuthAccountNotLinked")
    expect(state.generation).toBeGreaterThan(generation)
    expect(await claimsOf(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })

  test("so does a new session that cannot begin", async () => {
    const { alice, answer, state, callbacks } = await linking()
    const { jwt } = callbacks
    callbacks.jwt = (params) => (params.trigger ? down() : (jwt?.(params) ?? null))
    expect(errorOf(await answer())).toBe("Configuration")
    expect(await claimsOf(alice)).toMatchObject({ generation: state.generation, sub: "user-ada" })
  })
})
