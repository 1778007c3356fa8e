/** Every secret, token and cookie that the library issues, presented at every place that accepts one. */
import { describe, expect, test } from "vitest"
import { defaultCookies } from "../../src/config/defaults.ts"
import { createHasher } from "../../src/crypto/digest.ts"
import { hashPurposes, sealPurposes } from "../../src/crypto/purposes.ts"
import { createSealer } from "../../src/crypto/sealer.ts"
import { checkEach } from "../support/check-each.ts"
import {
  acceptors,
  type IssuedValues,
  issuedNames,
  issueValues,
  registeredCookies,
} from "../support/issued-values.ts"
import { secret } from "../support/password-app.ts"

let issuedValues: Promise<IssuedValues> | undefined
const getIssuedValues = () => {
  issuedValues ??= issueValues()
  return issuedValues
}

/** Where each purpose of the code shows: add a value to the matrix for every new one. */
const purposeValues = {
  "error report": "error report",
  "sign-in failure": "failed sign-in",
  transaction: "cookie of a sign-in",
  "form response": "cookie of a posted response",
  "proxied state": "state for another deployment",
  "email request": "cookie of an e-mail request",
  "requested link": "cookie of a requested link",
  "passkey challenge": "cookie of a passkey challenge",
  "provider logout": "cookie of a sign-out",
  "pending sign-in": "cookie of a pending sign-in",
  "factor setup": "setup of an authenticator app",
  "factor proof": "cookie of a proven factor",
  "trusted device": "cookie of a trusted device",
  csrf: "CSRF cookie",
  "email link": "stored hash of a link",
  "email link with code": "stored hash of a link with a code",
  "email code": "code of an e-mail",
  "email code attempt": "stored hash of an attempt",
  attempt: "key of counted attempts",
  browser: "cookie of a known browser",
  "pending sign-in token": "stored hash of a pending sign-in",
  "ended session": "cookie of ended sessions",
  "session binding": "cookie of a sign-in", // inside of it: it leaves the server sealed only
} as const satisfies Record<
  (typeof sealPurposes)[number] | (typeof hashPurposes)[number],
  (typeof issuedNames)[number]
>

describe("the matrix", () => {
  test("has a value of each purpose", async () => {
    const { values } = await getIssuedValues()
    for (const purpose of [...sealPurposes, ...hashPurposes])
      expect(values[purposeValues[purpose]], purpose).not.toBe("")
  })

  test("has each cookie that was set", async () => {
    const { cookieNames } = await getIssuedValues()
    const unknown = cookieNames.filter((name) => !registeredCookies.some((each) => each.test(name)))
    expect(unknown).toEqual([])
    expect(registeredCookies).toHaveLength(Object.keys(defaultCookies).length + 8)
  })

  test("has distinct values", async () => {
    const { values } = await getIssuedValues()
    for (const name of issuedNames) {
      expect(values[name], name).not.toBe("")
      expect(issuedNames.filter((other) => values[other] === values[name])).toEqual([name])
    }
  })
})

// The matrix alone does not show it: most places also refuse a value for what it contains.
describe("each purpose has a key of its own:", () => {
  test.each(sealPurposes)(
    "a value that was sealed as %s opens as nothing else",
    async (purpose) => {
      const sealer = createSealer([secret])
      const sealed = await sealer.seal(purpose, { id: 1 }, 60)
      const opened = await Promise.all(sealPurposes.map((each) => sealer.open(each, sealed)))
      expect(sealPurposes.filter((_, index) => opened[index])).toEqual([purpose])
    },
  )

  test("the hashes of a text differ", async () => {
    const hasher = createHasher([secret])
    const hashes = await Promise.all(hashPurposes.map((each) => hasher.hash(each, "a text")))
    expect(new Set(hashes).size).toBe(hashPurposes.length)
  })
})

describe.each(Object.entries(acceptors))("in place of %s", (own, accepts) => {
  test("its own value is accepted", async () => {
    expect(await accepts(undefined)).toBe(true)
  })

  test("every other value is refused", async () => {
    const { values } = await getIssuedValues()
    const others = issuedNames.filter((name) => name !== own)
    await checkEach(
      others.map((name) => [name, values[name]] as const),
      async (value) => expect(await accepts(value)).toBe(false),
    )
  })
})
