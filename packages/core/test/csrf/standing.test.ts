/** The pair that every browser has for forms to come, and when it is looked at. */
import { cookiesSet } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { people } from "../support/people.ts"

const name = "__Host-authjs.csrf-token"
const foreign = `${"0".repeat(64)}%7C${"1".repeat(64)}`

/** A browser that has what is no pair of this application, whatever it looks like. */
function visitor(value: string) {
  const alice = people().browser()
  alice.cookies.plant(alice.origin, `${name}=${value}; Path=/; Secure`)
  return alice
}

describe("a pair that nobody made here", () => {
  test("is left alone by a session check, which has no form", async () => {
    expect(cookiesSet(await visitor(foreign).open("/auth/session"))).not.toContain(name)
  })

  test.each(["csrf", "signin", "signout"])("is replaced where `%s` makes a form", async (route) => {
    const alice = visitor(foreign)
    await alice.open("/auth/session")
    expect(cookiesSet(await alice.open(`/auth/${route}`))).toContain(name)
  })

  test("is refused by a form, and good for one again after the next page", async () => {
    const alice = visitor(foreign)
    await alice.open("/auth/session")
    const refused = await alice.post("/auth/signout", { csrfToken: "0".repeat(64) })
    expect(refused.headers.get("location")).toContain("error=MissingCSRF")
    const accepted = await alice.post("/auth/signout", { csrfToken: await alice.csrf() })
    expect(accepted.headers.get("location")).not.toContain("error=")
  })
})

test.each(["old", `${"0".repeat(64)}|`, "%"])(
  "what does not even look like a pair (%s) is replaced by any answer",
  async (value) => {
    expect(cookiesSet(await visitor(value).open("/auth/session"))).toContain(name)
  },
)
