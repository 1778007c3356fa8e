/** Security cases 43 and 136: the work for a request is proportional to the number of its cookies. */
import { createAuth } from "@latchkey/core"
import github from "@latchkey/core/providers/github"
import { afterEach, expect, test, vi } from "vitest"
import { testAppSecret } from "../support/test-app.ts"

afterEach(() => void vi.restoreAllMocks())

const origin = "https://app.example"
const ignore = () => undefined
const config = {
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: testAppSecret,
  trustHost: true,
  logger: { error: ignore, warn: ignore, debug: ignore },
}

/** Counts the strings and array items that are searched while a function runs. */
async function countSearches(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const spies = [
    ...(["includes", "indexOf", "startsWith"] as const).map((name) => {
      const own = String.prototype[name]
      return vi.spyOn(String.prototype, name).mockImplementation(function (
        this: string,
        ...received
      ) {
        count += 1
        return Reflect.apply(own, this, received) as never
      })
    }),
    ...(["find", "findIndex", "includes", "indexOf"] as const).map((name) => {
      const own = Array.prototype[name]
      return vi.spyOn(Array.prototype, name).mockImplementation(function (
        this: unknown[],
        ...received: unknown[]
      ) {
        count += this.length
        return Reflect.apply(own, this, received) as never
      })
    }),
  ]
  await work()
  for (const spy of spies) spy.mockRestore()
  return count
}

const createCookieHeader = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${name(index)}=x`).join("; ")

test.each([
  [
    "chunks of an invalid session",
    async (count: number) => {
      const parts = createCookieHeader(count, (index) => `__Secure-authjs.session-token.${index}`)
      const cookie = `__Secure-authjs.session-token=x; ${parts}`
      const response = await createAuth(config).handle(
        new Request(`${origin}/auth/session`, { headers: { cookie } }),
      )
      // So many may be planted: they are not deleted one by one.
      expect(response.headers.getSetCookie().length).toBeLessThan(5)
    },
  ],
  [
    "pending sign-ins",
    async (count: number) => {
      const cookie = createCookieHeader(
        count,
        (index) => `__Host-authjs.state.${String(index).padStart(16, "0")}`,
      )
      const headers = new Headers({ cookie })
      const { signIn } = createAuth(config)
      const authorizationUrl = await signIn({ headers, url: origin }, "github")
      expect(authorizationUrl.cookies.length).toBeGreaterThan(count - 8)
    },
  ],
])("twice as many %s take at most about twice as long", async (_, work) => {
  const few = await countSearches(() => work(400))
  const many = await countSearches(() => work(800))
  expect(many / few).toBeLessThan(2.5)
})
