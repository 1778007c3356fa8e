/** Security cases 43 and 136: many cookies are work for each of them once, and not once for every other one. */
import { createAuth } from "@latchkey/core"
import github from "@latchkey/core/providers/github"
import { afterEach, expect, test, vi } from "vitest"
import { applicationSecret } from "../support/application.ts"

afterEach(() => void vi.restoreAllMocks())

const origin = "https://app.example"
const quiet = () => undefined
const config = {
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: applicationSecret,
  trustHost: true,
  logger: { error: quiet, warn: quiet, debug: quiet },
}

/** How many texts, and items of lists, are searched while something is done. */
async function searchesOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const spies = [
    ...(["includes", "indexOf", "startsWith"] as const).map((name) => {
      const own = String.prototype[name]
      return vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given) {
        count += 1
        return Reflect.apply(own, this, given) as never
      })
    }),
    ...(["find", "findIndex", "includes", "indexOf"] as const).map((name) => {
      const own = Array.prototype[name]
      return vi.spyOn(Array.prototype, name).mockImplementation(function (
        this: unknown[],
        ...given: unknown[]
      ) {
        count += this.length
        return Reflect.apply(own, this, given) as never
      })
    }),
  ]
  await work()
  for (const spy of spies) spy.mockRestore()
  return count
}

const cookies = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${name(at)}=x`).join("; ")

test.each([
  [
    "parts of a session that is of no use",
    async (count: number) => {
      const parts = cookies(count, (at) => `__Secure-authjs.session-token.${at}`)
      const cookie = `__Secure-authjs.session-token=x; ${parts}`
      const answer = await createAuth(config).handle(
        new Request(`${origin}/auth/session`, { headers: { cookie } }),
      )
      expect(answer.headers.getSetCookie().length).toBeGreaterThan(count)
    },
  ],
  [
    "sign-ins under way",
    async (count: number) => {
      const cookie = cookies(count, (at) => `__Host-authjs.state.${String(at).padStart(16, "0")}`)
      const headers = new Headers({ cookie })
      const { signIn } = createAuth(config)
      const begun = await signIn({ headers, url: origin, provider: "github" })
      expect(begun.cookies.length).toBeGreaterThan(count - 8)
    },
  ],
])("twice as many %s are twice the work", async (_, work) => {
  const few = await searchesOf(() => work(400))
  const many = await searchesOf(() => work(800))
  expect(many / few).toBeLessThan(2.5)
})
