import { DatabaseError } from "@latchkey/adapter-kit"
import { expect, test } from "vitest"

test("an error names the operation, the reason, the detail and the hint", () => {
  const cause = new Error("driver")
  const error = new DatabaseError("busy", {
    operation: "migrate",
    detail: "lock",
    hint: "Wait.",
    cause,
  })
  expect(error).toMatchObject({ code: "busy", operation: "migrate", detail: "lock", cause })
  expect(error.message).toBe(
    "migrate: another connection holds a lock, or keeps changing the same records (lock). Wait.",
  )
})

test("an error without detail and hint ends after the reason", () => {
  const error = new DatabaseError("not-found", { operation: "updateUser" })
  expect(error.message).toBe("updateUser: there is no such record.")
  expect(error).toMatchObject({ detail: "", hint: "" })
  expect("cause" in error).toBe(false)
})
