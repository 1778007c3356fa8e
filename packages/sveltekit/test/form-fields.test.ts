import { parseSignInForm } from "@latchkey/core/integration"
import { expect, test } from "vitest"
import { toFormFields, toParameterFields, toRoutePath } from "../src/components/form-fields.ts"

test("options are converted to form fields that the action reads", () => {
  const options = { redirectTo: "/a?b", link: true, size: 2, none: undefined, nil: null, list: [1] }
  const { options: parsedOptions, provider } = parseSignInForm(
    toFormFields({ ...options, providerId: "people" }),
  )
  expect(provider).toBe("people")
  expect(parsedOptions.fields).toEqual({ redirectTo: "/a?b", link: "true", size: "2" })
})

test.each([
  "prompt=login&login_hint=a%26b",
  { prompt: "login", login_hint: "a&b" },
  new URLSearchParams({ prompt: "login", login_hint: "a&b" }),
])("parameters for the provider arrive there: %j", (parameters) => {
  const { options } = parseSignInForm(toParameterFields(parameters))
  const { browserParams, fields } = options
  expect(Object.fromEntries(new URLSearchParams(browserParams))).toEqual({
    prompt: "login",
    login_hint: "a&b",
  })
  expect(fields).toEqual({})
})

test("the name of a page may start with a slash", () => {
  expect([toRoutePath("signin"), toRoutePath("/signin"), toRoutePath("//evil.example")]).toEqual([
    "/signin",
    "/signin",
    "/evil.example",
  ])
})
