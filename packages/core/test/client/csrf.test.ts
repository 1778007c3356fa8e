/** Tokens against cross-site request forgery: the client gets its own, and renews one that is none any more. */
import { skipCSRFCheck } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { home, rightWord, site } from "../support/front-door.ts"
import { pages } from "../support/pages.ts"

const stay = { redirect: false } as const
const cookie = "__Host-authjs.csrf-token"

describe("a token", () => {
  test("is the one that the library accepts", async () => {
    const { app } = await site()
    const { open, who } = pages(app)
    const csrfToken = await open().getCsrfToken()
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    const fields = { ...rightWord, csrfToken: String(csrfToken) }
    await who.post("/auth/callback/credentials", fields)
    expect(await open().getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("whose cookie went missing on the way is made anew, once", async () => {
    const { app } = await site()
    const visited = pages(app)
    let posts = 0
    visited.network = ({ method }) => {
      if (method === "POST") posts += 1
      if (method !== "POST" || posts > 1) return undefined
      const url = `${home}/auth/signin?error=MissingCSRF`
      return Response.json({ url })
    }
    const result = await visited.open().signIn("credentials", { ...stay, ...rightWord })
    expect([result.kind, posts]).toEqual(["signed-in", 2])
  })

  test("that cookies cannot hold comes to a refusal, and to no endless attempts", async () => {
    const { app } = await site()
    const { open, asked } = pages(async (request) => {
      const headers = new Headers(request.headers)
      headers.delete("cookie")
      return app(new Request(request, { headers }))
    })
    const result = await open().signIn("credentials", { ...stay, ...rightWord })
    expect(result).toMatchObject({ ok: false, kind: "refused", error: "MissingCSRF", url: null })
    expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(2)
  })

  test("that came with the page is used as it is, and not exchanged for another one's", async () => {
    const { app } = await site()
    const { open, who, asked } = pages(app)
    const page = open()
    await who.signIn("credentials", rightWord)
    const csrfToken = await page.getCsrfToken()
    await who.signIn("credentials", { name: "Bob", word: "sesame" })
    asked.length = 0
    const result = await page.signOut({ ...stay, ...(csrfToken ? { csrfToken } : {}) })
    expect(result).toMatchObject({ kind: "refused", error: "MissingCSRF" })
    expect(asked).toHaveLength(1)
    expect(await page.getSession()).toMatchObject({ user: { name: "Bob" } })
  })

  test("of nobody's is good for signing in, and of somebody's for signing out", async () => {
    const { app } = await site()
    const { open, who } = pages(app)
    const page = open()
    await page.signIn("credentials", { ...stay, ...rightWord })
    expect(who.cookies.get(cookie)?.value).toBeDefined()
    expect(await page.signOut(stay)).toMatchObject({ ok: true, kind: "signed-out" })
    expect(await page.getSession()).toBeNull()
  })
})

test("without the library's check, as frameworks with one of their own have it, none is sent", async () => {
  const { app } = await site({ skipCSRFCheck })
  const { open } = pages(app)
  const page = open()
  expect(await page.getCsrfToken()).toBeUndefined()
  expect((await page.signIn("credentials", { ...stay, ...rightWord })).kind).toBe("signed-in")
  expect((await page.signOut(stay)).kind).toBe("signed-out")
})
