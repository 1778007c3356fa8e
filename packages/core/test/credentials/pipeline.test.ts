import type { AuthConfig, RateLimitedAttempt } from "@latchkey/core"
import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, passwordDoor } from "../support/password-door.ts"

const typed = { name: "ada", password: "open sesame" }
const account = { provider: "credentials", type: "credentials", providerAccountId: "ada" }

test("callbacks and events are told who came in, and how", async () => {
  const told: [string, unknown][] = []
  const tell = (name: string) => (message: unknown) =>
    void told.push([name, structuredClone(message)])
  const callbacks: AuthConfig["callbacks"] = {
    signIn(parameters) {
      tell("signIn callback")(parameters)
      return true
    },
    jwt(parameters) {
      tell("jwt callback")(parameters)
      return parameters.token
    },
  }
  const events = { signIn: tell("signIn event"), createUser: tell("createUser event") }
  const door = passwordDoor(undefined, { callbacks, events })
  await door.visitor().signIn("credentials", typed)
  const credentials = { csrfToken: expect.any(String), ...typed }
  const token = { name: ada.name, email: ada.email, picture: null, sub: "ada" }
  expect(told).toEqual([
    ["signIn callback", { user: ada, account, credentials }],
    ["jwt callback", { token, user: ada, account, isNewUser: false, trigger: "signIn" }],
    ["signIn event", { user: ada, account }],
  ])
})

describe("the `signIn` callback", () => {
  test("that refuses keeps a person out whose password was right", async () => {
    const door = passwordDoor(undefined, { callbacks: { signIn: () => false } })
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", typed)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("AccessDenied")
    expect(await visitor.session()).toBeNull()
  })

  test("is not asked about a password that was wrong", async () => {
    let asked = 0
    const signIn = () => {
      asked += 1
      return true
    }
    await passwordDoor(() => null, { callbacks: { signIn } })
      .visitor()
      .signIn("credentials", typed)
    expect(asked).toBe(0)
  })
})

describe("the `rateLimit` hook", () => {
  test("is asked before `authorize`, and its refusal is the person's to see", async () => {
    const attempts: RateLimitedAttempt[] = []
    const door = passwordDoor(undefined, {
      rateLimit(attempt) {
        attempts.push(attempt)
        return false
      },
    })
    const visitor = door.visitor({ headers: { "x-client": "tablet" } })
    const answer = await visitor.signIn("credentials", typed)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("TooManyRequests")
    expect(await (await visitor.follow(answer)).text()).toContain("Too many attempts")
    expect(door.asked).toEqual([])
    expect(attempts).toMatchObject([{ action: "credentials", provider: "credentials" }])
    expect(attempts[0]?.request.headers.get("x-client")).toBe("tablet")
  })

  test("is not asked about a form that this site did not make", async () => {
    let asked = 0
    const door = passwordDoor(undefined, {
      rateLimit() {
        asked += 1
        return true
      },
    })
    const visitor = door.visitor()
    assertRefused(await visitor.post("/auth/callback/credentials", typed))
    expect(asked).toBe(0)
    expect(door.asked).toEqual([])
  })

  test("that fails lets nobody through", async () => {
    const rateLimit = () => Promise.reject(new Error("the counter is gone"))
    const door = passwordDoor(undefined, { rateLimit })
    const visitor = door.visitor()
    assertRefused(await visitor.signIn("credentials", typed))
    expect(door.asked).toEqual([])
    expect(await visitor.session()).toBeNull()
  })
})

test("a person who does not get in stays who they were", async () => {
  let authorize = (): unknown => ada
  const door = passwordDoor(() => authorize())
  const visitor = door.visitor()
  await visitor.signIn("credentials", typed)
  for (const refusal of [() => null, () => Promise.reject(new Error("down"))]) {
    authorize = refusal
    assertRefused(await visitor.signIn("credentials", typed))
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  }
})
