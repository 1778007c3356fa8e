import * as authJsCore from "@auth/core"
import * as authJsAdapters from "@auth/core/adapters"
import * as authJsErrors from "@auth/core/errors"
import * as authJsJwt from "@auth/core/jwt"
import * as authJsExpress from "@auth/express"
import * as core from "@latchkey/core"
import * as adapters from "@latchkey/core/adapters"
import * as errors from "@latchkey/core/errors"
import * as jwt from "@latchkey/core/jwt"
import * as express from "@latchkey/express"
import { expect, test } from "vitest"

const renamedExports: Readonly<Record<string, string>> = { ExpressAuth: "MiddlewareAuth" }

test.each([
  ["core", authJsCore, core],
  ["core/adapters", authJsAdapters, adapters],
  ["core/errors", authJsErrors, errors],
  ["core/jwt", authJsJwt, jwt],
  ["express", authJsExpress, express],
])("whatever @auth/%s exports, our module of that name has too", (_, theirs, ours) => {
  const names = Object.keys(theirs).map((name) => renamedExports[name] ?? name)
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(names))
})

const errorTypes = Object.entries(authJsErrors).flatMap(([name, value]) =>
  "type" in value && typeof value.type === "string" && name !== "AuthError" ? [name] : [],
)

test.each(errorTypes)("%s has the same type and kind as in Auth.js", (name) => {
  const authjsError: object = new (authJsErrors as never as Record<string, new () => Error>)[
    name
  ]!()
  const latchkeyError: object = new (errors as never as Record<string, new () => Error>)[name]!()
  const describeError = (error: object) => {
    const { type, kind, name, code } = error as Record<string, unknown>
    return { type, kind, name, code }
  }
  expect(describeError(latchkeyError)).toEqual(describeError(authjsError))
})
