/** Which field of a form names the account that attempts count for. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import type { AuthConfig } from "@latchkey/core"
import type { CredentialInput } from "@latchkey/core/types"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createNetwork, createPasswordApp, openBrowser } from "../support/guessing-app.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createTestApp } from "../support/test-app.ts"

const maxGuesses = 10
let lastForm = 0

/** Sends twelve forms that all differ, except in one field. Returns how many were compared. */
async function countCompared(fields: Record<string, CredentialInput>, same: string) {
  let compared = 0
  const authorize = () => {
    compared += 1
    return null
  }
  const provider = {
    id: `form-${++lastForm}`,
    type: "credentials",
    name: "Form",
    credentials: fields,
    authorize,
  } as const
  const { auth } = createPasswordApp({ providers: [provider] })
  const browser = openBrowser(auth, createNetwork())
  const csrfToken = await browser.getCsrfToken()
  for (let i = 0; i < maxGuesses + 2; i += 1) {
    const values = Object.keys(fields).map((name) => [name, name === same ? "same" : `other ${i}`])
    await browser.post(`/auth/callback/${provider.id}`, {
      ...Object.fromEntries(values),
      csrfToken,
    })
  }
  return compared
}

describe("the account is named by", () => {
  const password = { type: "password" }
  test.each<[string, Record<string, CredentialInput>, string]>([
    ["the first field that is no password", { pin: password, member: {}, note: {} }, "member"],
    [
      "the first field that is no password, even if none is declared as one",
      { password: {}, member: {} },
      "member",
    ],
    ["a field with a usual name", { tenant: {}, "user-name": {}, note: {}, password }, "user-name"],
    ["a field of type email", { username: {}, contact: { type: "email" }, password }, "contact"],
    [
      "a field with autocomplete `email`",
      { login: {}, contact: { autocomplete: "section-a email" }, password },
      "contact",
    ],
    [
      "a field with autocomplete `username`, before all others",
      { email: { type: "email" }, member: { autocomplete: "username webauthn" }, password },
      "member",
    ],
  ])("%s", async (_, fields, name) => {
    expect(await countCompared(fields, name)).toBe(maxGuesses)
    for (const other of Object.keys(fields).filter((each) => each !== name))
      expect(await countCompared(fields, other)).toBe(maxGuesses + 2)
  })

  test("none, without fields: then a warning says so", async () => {
    const findWarnings = async (changes: Partial<AuthConfig>) => {
      const provider = { id: "form", type: "credentials", name: "Form", credentials: {} } as const
      const authorize = () => null
      const { config } = createTestApp({ providers: [{ ...provider, authorize }] })
      const problems = await findConfigProblems({ ...config, ...changes } as AuthConfig)
      return problems.filter(({ type }) => type === "attempt-limits")
    }
    expect(await findWarnings({})).toEqual([
      expect.objectContaining({ level: "warning", option: "providers.form.credentials" }),
    ])
    expect(await findWarnings({ attemptLimits: false })).toEqual([])
  })
})

describe("requests for passkey options count for", () => {
  async function countAllowed(
    provider: Parameters<typeof createPasskeyApp>[1],
    getQuery: (i: number) => string,
  ): Promise<number> {
    const limits = { network: false, identifier: { max: 3, window: 60 } } as const
    const { handle } = await createPasskeyApp(
      { attemptLimits: { "webauthn-options": limits } },
      provider,
    )
    const browser = createTestBrowser(handle)
    let allowed = 0
    for (let i = 0; i < 5; i += 1) {
      const response = await browser.fetch(`/auth/webauthn-options/passkey?${getQuery(i)}`)
      if (response.status !== 429) allowed += 1
    }
    return allowed
  }
  const getUserInfo = () => null

  test.each<[string, Parameters<typeof createPasskeyApp>[1], (i: number) => string]>([
    ["the address, not the name", {}, (i) => `email=bea%40example.com&name=n${i}`],
    [
      "the last of several addresses",
      {},
      (i) => `email=a${i}%40example.com&email=cleo%40example.com`,
    ],
    ["the last address that is not empty", {}, (i) => `email=dora%40example.com&email=&x=${i}`],
    ["the name, if there is no address", {}, (i) => `name=eve&x=${i}`],
    [
      "the field of the form, with a lookup of the application",
      { getUserInfo, enableConditionalUI: false, formFields: { team: {}, login: {} } },
      (i) => `team=${i}&email=${i}&login=${i}&login=fay`,
    ],
  ])("%s", async (_, provider, getQuery) => {
    expect(await countAllowed(provider, getQuery)).toBe(3)
  })
})
