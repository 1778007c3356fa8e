import * as referenceCore from "@auth/core"
import * as referenceAdapters from "@auth/core/adapters"
import * as referenceErrors from "@auth/core/errors"
import * as referenceJwt from "@auth/core/jwt"
import * as referenceExpress from "@auth/express"
import * as core from "@latchkey/core"
import * as adapters from "@latchkey/core/adapters"
import * as errors from "@latchkey/core/errors"
import * as jwt from "@latchkey/core/jwt"
import * as express from "@latchkey/express"
import { expect, test } from "vitest"

const renamedExports: Readonly<Record<string, string>> = { ExpressAuth: "MiddlewareAuth" }

test.each([
  ["core", referenceCore, core],
  ["core/adapters", referenceAdapters, adapters],
  ["core/errors", referenceErrors, errors],
  ["core/jwt", referenceJwt, jwt],
  ["express", referenceExpress, express],
])("whatever @auth/%s exports, our module of that name has too", (_, theirs, ours) => {
  const names = Object.keys(theirs).map((name) => renamedExports[name] ?? name)
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(names))
})

const errorTypes = Object.entries(referenceErrors).flatMap(([name, value]) =>
  "type" in value && typeof value.type === "string" && name !== "AuthError" ? [name] : [],
)

test.each(errorTypes)("%s has the type and the kind that it had", (name) => {
  const authjsError: object = new (referenceErrors as never as Record<string, new () => Error>)[
    name
  ]!()
  const latchkeyError: object = new (errors as never as Record<string, new () => Error>)[name]!()
  const describeError = (error: object) => {
    const { type, kind, name, code } = error as Record<string, unknown>
    return { type, kind, name, code }
  }
  expect(describeError(latchkeyError)).toEqual(describeError(authjsError))
})
