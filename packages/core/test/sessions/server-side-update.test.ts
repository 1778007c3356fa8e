/** `update`: application code changes the data of a session. */
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { testAppSecret } from "../support/test-app.ts"

const url = "https://app.example/"
const auth = createAuth({
  providers: [credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
  secret: testAppSecret,
  trustHost: true,
  logger: { error() {} },
  callbacks: {
    jwt({ token, trigger, session }) {
      if (session === "break") throw new Error("broken")
      if (trigger === "update" && typeof session?.name === "string") token.name = session.name
      return token
    },
  },
})

const toCookieHeaders = (cookies: readonly { name: string; value: string }[]) =>
  new Headers({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") })

async function signInAndReadHeaders(): Promise<Headers> {
  const headers = new Headers()
  return toCookieHeaders((await auth.signIn({ headers, url }, "credentials")).cookies)
}

describe("an update in application code", () => {
  test("is passed to the `jwt` callback, and its result is in the cookie", async () => {
    const headers = await signInAndReadHeaders()
    const { session, cookies } = await auth.updateSession({ headers, url }, { name: "Grace" })
    expect(session?.user?.name).toBe("Grace")
    const after = await auth.getSession({ headers: toCookieHeaders(cookies), url })
    expect(after.session?.user?.name).toBe("Grace")
  })

  test("changes nothing if the callback throws, and the session remains valid", async () => {
    const headers = await signInAndReadHeaders()
    await expect(auth.updateSession({ headers, url }, "break")).rejects.toThrow()
    expect((await auth.getSession({ headers, url })).session?.user?.name).toBe("Ada")
  })

  test("returns null if nobody is signed in", async () => {
    const { session, cookies } = await auth.updateSession({ headers: new Headers(), url }, {})
    expect(session).toBeNull()
    expect(cookies).toEqual([])
  })
})
