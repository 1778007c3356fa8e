import { expect, test } from "vitest"
import { omitUndefined } from "../src/objects.ts"

test("a copy has no property that is undefined, and no prototype that the object names", () => {
  const object = JSON.parse('{"name":"Ada","image":null,"__proto__":{"admin":true}}')
  const copy = omitUndefined({ ...object, email: undefined })
  expect(Object.keys(copy)).toEqual(["name", "image"])
  expect(copy).toEqual({ name: "Ada", image: null })
  expect((copy as { admin?: unknown }).admin).toBeUndefined()
})
