import { signInForm } from "@latchkey/core/mounting"
import { expect, test } from "vitest"
import { fieldsOf, parameterFields, routeOf } from "../src/components/fields.ts"

test("options become the fields that the action reads, as far as a form can hold them", () => {
  const options = { redirectTo: "/a?b", link: true, size: 2, none: undefined, nil: null, list: [1] }
  const { options: read, provider } = signInForm(fieldsOf({ ...options, providerId: "people" }))
  expect(provider).toBe("people")
  expect(read).toEqual({ redirectTo: "/a?b", link: "true", size: "2" })
})

test.each([
  "prompt=login&login_hint=a%26b",
  { prompt: "login", login_hint: "a&b" },
  new URLSearchParams({ prompt: "login", login_hint: "a&b" }),
])("parameters for the provider arrive there: %j", (parameters) => {
  const { authorizationParams, options } = signInForm(parameterFields(parameters))
  expect(Object.fromEntries(new URLSearchParams(authorizationParams))).toEqual({
    prompt: "login",
    login_hint: "a&b",
  })
  expect(options).toEqual({})
})

test("a page is named with or without a slash", () => {
  expect([routeOf("signin"), routeOf("/signin"), routeOf("//evil.example")]).toEqual([
    "/signin",
    "/signin",
    "/evil.example",
  ])
})
