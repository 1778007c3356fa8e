/** Faults of the database while a code is sent and entered. */
import type { Adapter } from "@latchkey/core/adapters"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  address,
  type CodeApp,
  changeCode,
  createCodeApp,
  enterCode,
  enterCodeForLink,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"
import type { AdapterMethod } from "../support/test-database.ts"

/** Lets one call of a method fail, counted from now on: 1 is the next. */
function failCall(app: CodeApp, method: AdapterMethod, number: number, isLate = false): void {
  const adapter = app.adapter as unknown as Record<string, (...parameters: unknown[]) => unknown>
  const original = adapter[method]?.bind(adapter)
  let count = 0
  adapter[method] = async (...parameters) => {
    count += 1
    if (count === number && !isLate) throw new Error("the database is gone")
    const result = await original?.(...parameters)
    if (count === number) throw new Error("the database is gone")
    return result
  }
}

describe("a code works after a fault, and no attempt is used up, when the fault was in", () => {
  test.each<[AdapterMethod, number]>([
    ["useVerificationToken", 1],
    ["useVerificationToken", 2],
    ["getUserByEmail", 1],
    ["createUser", 1],
    ["createSession", 1],
  ])("%s, call %i", async (method, number) => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    const stored = app.rows("VerificationToken")
    failCall(app, method, number)
    const response = await enterCode(ada, code)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(await getAddress(ada)).toBeNull()
    expect(app.rows("VerificationToken")).toHaveLength(stored.length)
    expect(app.rows("VerificationToken")).toEqual(expect.arrayContaining(stored))
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBe(address)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("all methods", async () => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    app.failAllMethods()
    assertRefused(await enterCode(ada, code))
    app.clearFaults()
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBe(address)
  })
})

test("a fault of the `signIn` callback keeps code and link valid, and a refusal uses both up", async () => {
  let mood: "broken" | "strict" = "broken"
  const app = await createCodeApp(
    {},
    {
      callbacks: {
        signIn({ email }) {
          if (email?.verificationRequest) return true
          if (mood === "strict") return false
          throw new Error("the list of members is not available")
        },
      },
    },
  )
  const ada = app.openBrowser()
  const { code } = await app.receive(ada)
  await enterCode(ada, code)
  expect(app.rows("VerificationToken")).toHaveLength(2)
  mood = "strict"
  expect(getRedirectError(await enterCode(ada, code))).toBe("AccessDenied")
  expect(app.rows("VerificationToken")).toEqual([])
})

describe("a wrong code whose next attempt could not be stored", () => {
  test.each([false, true])("permits no more than five guesses (late fault: %j)", async (isLate) => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    const { link, code } = await app.receive(ada)
    failCall(app, "createVerificationToken", 1, isLate)
    expect(getRedirectError(await enterCode(ada, changeCode(code)))).toBe("Configuration")
    const problems = []
    for (let by = 2; by <= 8; by += 1)
      problems.push(getCodeProblem(await enterCode(ada, changeCode(code, by)))["reason"])
    expect(problems.filter((reason) => reason === "incorrect").length).toBeLessThanOrEqual(3)
    await ada.open(link)
    expect(await getAddress(ada)).toBe(address)
  })
})

describe("an e-mail with a code", () => {
  test.each([1, 2])("is not sent if row %i could not be stored", async (number) => {
    const app = await createCodeApp()
    const ada = app.openBrowser()
    await app.receive(ada, "first@example.com")
    const stored = app.rows("VerificationToken")
    failCall(app, "createVerificationToken", number)
    const response = await ada.signIn("email", { email: address })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(app.sent).toHaveLength(1)
    expect(app.rows("VerificationToken")).toEqual(stored)
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("leaves no row if it could not be sent", async () => {
    let isBroken = false
    const app = await createCodeApp({
      sendsCode: true,
      sendVerificationRequest(request) {
        if (isBroken) throw new Error(`no mail server for ${request.code}`)
        return void request.code
      },
    })
    await app.receive(app.openBrowser(), "first@example.com")
    const stored = app.rows("VerificationToken")
    isBroken = true
    assertRefused(await app.openBrowser().signIn("email", { email: address }))
    expect(app.rows("VerificationToken")).toEqual(stored)
    expect(app.log.toText()).toContain("no mail server")
    expect(app.log.toText()).not.toMatch(/no mail server for \d{6}/)
  })
})

test("a link signs in although its attempts could not be deleted", async () => {
  const app = await createCodeApp()
  const ada = app.openBrowser()
  const { link, code } = await app.receive(ada)
  failCall(app, "useVerificationToken", 2)
  await ada.open(link)
  expect(await getAddress(ada)).toBe(address)
  expect(app.log.errorCodes()).toEqual(["AdapterError"])
  const other = app.openBrowser()
  await enterCodeForLink(other, link, code)
  expect(await getAddress(other)).toBeNull()
})

test("a link whose sign-in failed by a fault keeps its code", async () => {
  const app = await createCodeApp()
  const ada = app.openBrowser()
  const { link, code } = await app.receive(ada)
  failCall(app, "createSession", 1)
  assertRefused(await ada.open(link))
  await enterCode(ada, code)
  expect(await getAddress(ada)).toBe(address)
})

test("adapters that keep fields of their own get only the three of a token for the next attempt", async () => {
  const app = await createCodeApp()
  const created: object[] = []
  const { createVerificationToken, useVerificationToken } = app.adapter
  const adapter: Partial<Adapter> = {
    createVerificationToken: (row) => {
      created.push(row)
      return createVerificationToken(row)
    },
    useVerificationToken: async (key) => {
      const row = await useVerificationToken(key)
      return row && { ...row, id: "17" }
    },
  }
  Object.assign(app.adapter, adapter)
  const ada = app.openBrowser()
  const { code } = await app.receive(ada)
  await enterCode(ada, changeCode(code))
  expect(Object.keys(created.at(-1) ?? {}).sort()).toEqual(["expires", "identifier", "token"])
})
