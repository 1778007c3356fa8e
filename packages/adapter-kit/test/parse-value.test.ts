import { parseAccount, parseValue, toLookupText } from "@latchkey/adapter-kit"
import { expect, test } from "vitest"

test.each([
  ["boolean", false, false],
  ["integer", 1.9, 1],
  ["integer", 1e300, Number.MAX_SAFE_INTEGER],
  ["json", { a: [null] }, '{"a":[null]}'],
  ["key", 4711, "4711"],
  ["number", 1.5, 1.5],
  ["text", "a\0b", "a\0b"],
] as const)("a value of kind %s: %o", (kind, value, expected) => {
  expect(parseValue(kind, value, "User.x")).toBe(expected)
})

test.each([
  ["boolean", 1, "a boolean"],
  ["date", new Date(Number.NaN), "a valid Date"],
  ["integer", Number.NaN, "a number"],
  ["json", () => 1, "a value that JSON can carry"],
  ["json", 1n, "a value that JSON can carry"],
  ["key", { toString: () => "x" }, "text"],
  ["number", "1", "a number"],
  ["text", "\uD800", "well-formed text"],
] as const)("a value that is not of kind %s: %o", (kind, value, expected) => {
  expect(() => parseValue(kind, value, "User.x")).toThrow(
    new TypeError(`User.x must be ${expected}.`),
  )
})

test("text beyond the limits is refused, and finds nothing", () => {
  const limits = { maxLength: 3, supportsNul: false }
  expect(parseValue("text", "abc", "User.x", limits)).toBe("abc")
  expect(() => parseValue("text", "abcd", "User.x", limits)).toThrow("text of 3 characters at most")
  expect(() => parseValue("text", "\0", "User.x", limits)).toThrow("text without NUL")
  expect(["abc", "abcd", "\0", "\uD800"].map((text) => toLookupText(text, "x", limits))).toEqual([
    "abc",
    null,
    null,
    null,
  ])
})

test("a stored account needs a type that is stored", () => {
  const account = { userId: "u", type: "oidc", provider: "p", providerAccountId: "1" }
  expect(parseAccount({ ...account, scope: null, token_type: "Bearer" })).toEqual({
    ...account,
    token_type: "bearer",
  })
  expect(() => parseAccount({ ...account, type: "credentials" })).toThrow(
    "Account.type must be one",
  )
})
