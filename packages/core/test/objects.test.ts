import { runInThisContext } from "node:vm"
import { withFrozenTime } from "@latchkey/testing/clock"
import { describe, expect, test } from "vitest"
import { isDate, isError, isPlainObject, omitUndefined } from "../src/objects.ts"
import { evaluateForeign } from "./support/foreign-values.ts"

test("a copy has no property that is undefined, and no prototype that the object names", () => {
  const object = JSON.parse('{"name":"Ada","image":null,"__proto__":{"admin":true}}')
  const copy = omitUndefined({ ...object, email: undefined })
  expect(Object.keys(copy)).toEqual(["name", "image"])
  expect(copy).toEqual({ name: "Ada", image: null })
  expect((copy as { admin?: unknown }).admin).toBeUndefined()
})

describe("checks do not depend on the realm", () => {
  const checks = { isDate, isError, isPlainObject }

  test.each<[text: string, kind: keyof typeof checks | "none"]>([
    ["new Date()", "isDate"],
    ["new (class UtcDate extends Date {})()", "isDate"],
    ["new TypeError()", "isError"],
    [
      "new (class PrismaError extends Error { get [Symbol.toStringTag]() { return this.name } })()",
      "isError",
    ],
    ["Object.create(new Error())", "isError"],
    ["({})", "isPlainObject"],
    ["Object.create(null)", "isPlainObject"],
    ["({ name: 'Ada', message: 'hello' })", "isPlainObject"],
    ["new Map()", "none"],
    ["new (class User {})()", "none"],
    ["[]", "none"],
    ["null", "none"],
    ["Promise.resolve()", "none"],
    ["'Error'", "none"],
  ])("%s: %s", (text, kind) => {
    for (const value of [evaluateForeign(text), runInThisContext(text)]) {
      const matching = Object.entries(checks).filter(([, check]) => check(value))
      expect(matching.map(([name]) => name)).toEqual(kind === "none" ? [] : [kind])
    }
  })

  test("a date from before the clock was replaced is a date", async () => {
    const date = new Date()
    expect(await withFrozenTime(0, () => isDate(date) && isDate(new Date()))).toBe(true)
  })
})
