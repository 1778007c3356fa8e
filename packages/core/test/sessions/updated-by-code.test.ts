/** `update`: application code changes what a session holds. */
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { applicationSecret } from "../support/application.ts"

const url = "https://app.example/"
const auth = createAuth({
  providers: [credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
  secret: applicationSecret,
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

const sent = (cookies: readonly { name: string; value: string }[]) =>
  new Headers({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") })

async function signedIn(): Promise<Headers> {
  const headers = new Headers()
  return sent((await auth.signIn({ headers, url, provider: "credentials" })).cookies)
}

describe("an update by application code", () => {
  test("reaches the `jwt` callback, and the cookie holds what that returned", async () => {
    const headers = await signedIn()
    const { session, cookies } = await auth.update({ headers, url, data: { name: "Grace" } })
    expect(session?.user?.name).toBe("Grace")
    const after = await auth.session(sent(cookies), url)
    expect(after.session?.user?.name).toBe("Grace")
  })

  test("57 changes nothing when the callback throws, and the session goes on", async () => {
    const headers = await signedIn()
    await expect(auth.update({ headers, url, data: "break" })).rejects.toThrow()
    expect((await auth.session(headers, url)).session?.user?.name).toBe("Ada")
  })

  test("of nobody is null", async () => {
    const { session, cookies } = await auth.update({ headers: new Headers(), url, data: {} })
    expect(session).toBeNull()
    expect(cookies).toEqual([])
  })
})
