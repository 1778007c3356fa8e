/** Signing in from application code: what went wrong is thrown to the caller, not told to a browser. */
import { Auth, createAuth, raw } from "@latchkey/core"
import {
  AccessDenied,
  CredentialsSignin,
  InvalidEmail,
  TooManyRequests,
} from "@latchkey/core/errors"
import { describe, expect, test } from "vitest"
import { bob, linkingHouse } from "../support/linking-house.ts"
import { ada, passwordDoor } from "../support/password-door.ts"
import { postOffice } from "../support/post-office.ts"

const url = "https://app.example/login"
const headers = new Headers()
const name = "__Secure-authjs.session-token"

class Locked extends CredentialsSignin {
  override code = "locked"
}

describe("`signIn` of a compiled configuration", () => {
  test("signs in with credentials, without a form, and gives the cookies to set", async () => {
    const door = passwordDoor()
    const options = { name: "ada", redirectTo: "/in" }
    const result = await createAuth(door.config).signIn({
      provider: "credentials",
      options,
      headers,
      url,
    })
    expect(result.redirect).toBe("https://app.example/in")
    expect(result.cookies.map((cookie) => cookie.name)).toContain(name)
    expect(door.asked).toEqual([{ name: "ada", callbackUrl: "/in" }])
  })

  test.each([
    ["CredentialsSignin with its code", () => Promise.reject(new Locked()), {}, Locked, "locked"],
    ["CredentialsSignin for null", () => null, {}, CredentialsSignin, "credentials"],
    ["AccessDenied", () => ada, { callbacks: { signIn: () => false } }, AccessDenied, undefined],
    ["TooManyRequests", () => ada, { rateLimit: () => false }, TooManyRequests, undefined],
  ])("throws %s to the caller", async (_, authorize, changes, expected, code) => {
    const { config } = passwordDoor(authorize, changes)
    const asked = createAuth(config).signIn({ provider: "credentials", options: {}, headers, url })
    const error: unknown = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(expected)
    expect((error as { code?: string }).code).toBe(code)
  })

  test("sends a link by e-mail, and throws what is wrong with the address", async () => {
    const office = await postOffice()
    const auth = createAuth(office.config)
    const ask = (email: string) =>
      auth.signIn({ provider: "nodemailer", options: { email, redirectTo: "/in" }, headers, url })
    await expect(ask("ada@example.com, bob@example.com")).rejects.toBeInstanceOf(InvalidEmail)
    expect((await ask("ada@example.com")).redirect).toContain("/auth/verify-request?")
    const visitor = office.visitor()
    const answer = await visitor.open(office.box.latestLink())
    expect(answer.headers.get("location")).toBe("https://app.example/in")
  })

  test("links an account when it is told to", async () => {
    const house = await linkingHouse()
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    house.club.user(bob)
    const cookie = `${name}=${visitor.cookies.get(name)?.value}`
    const { redirect, cookies } = await createAuth(house.config).signIn({
      provider: "club",
      options: { link: true },
      headers: new Headers({ cookie }),
      url,
    })
    for (const { name: key, value } of cookies) {
      visitor.cookies.plant(url, `${key}=${encodeURIComponent(value)}; Path=/; Secure; HttpOnly`)
    }
    await visitor.open(house.club.approve(new URL(redirect)))
    expect(house.accounts()).toHaveLength(2)
    expect(house.rows("User")).toHaveLength(1)
  })
})

test("in `raw` mode, `Auth` throws CredentialsSignin unless a script asked to be told", async () => {
  const door = passwordDoor(() => Promise.reject(new Locked()))
  const visitor = door.visitor()
  const csrfToken = await visitor.csrf()
  const request = (extra: Record<string, string> = {}) =>
    new Request("https://app.example/auth/callback/credentials", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        cookie: [...visitor.cookies].map((cookie) => `${cookie.name}=${cookie.value}`).join("; "),
        ...extra,
      },
      body: JSON.stringify({ csrfToken, name: "ada" }),
    })
  const asked = (headers = {}) => Auth(request(headers), { ...door.config, raw })
  await expect(asked()).rejects.toBeInstanceOf(Locked)
  const told = await asked({ "x-auth-return-redirect": "1" })
  expect(told.redirect).toBe("https://app.example/auth/signin?error=CredentialsSignin&code=locked")
})
