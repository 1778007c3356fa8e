/** `signOut` of the client with `redirect: false`. */
import { expect, test } from "vitest"
import { home, rightWord, type SiteConfig, site } from "../support/front-door.ts"
import { pages } from "../support/pages.ts"
import { storedPeople } from "../support/people.ts"

const stay = { redirect: false } as const

async function signedIn(changes: Partial<SiteConfig> = {}) {
  const visited = pages((await site(changes)).app)
  await visited.who.signIn("credentials", rightWord)
  return visited
}

test("ends the session, and tells where to go", async () => {
  const page = (await signedIn()).open()
  const result = await page.signOut({ ...stay, redirectTo: "/bye" })
  expect(result).toEqual({ ok: true, kind: "signed-out", url: `${home}/bye` })
  expect(page.sessionState()).toEqual({ kind: "signed-out", stale: false })
  expect(await page.getSession()).toBeNull()
})

test("takes `callbackUrl` for where to go, too", async () => {
  const page = (await signedIn()).open()
  expect(await page.signOut({ ...stay, callbackUrl: "/bye" })).toMatchObject({ url: `${home}/bye` })
})

test("leads to no other site", async () => {
  const page = (await signedIn()).open()
  const result = await page.signOut({ ...stay, redirectTo: "https://evil.example/" })
  expect(result.url).toBe(`${home}/`)
})

test("ends a session that is kept in a database", async () => {
  const people = await storedPeople({ session: { strategy: "database" } })
  const { open, who } = pages(people.handle)
  await who.signIn("credentials", { name: "ada", password: "open sesame" })
  const page = open()
  expect(await page.getSession()).toMatchObject({ user: { name: "ada" } })
  expect(people.count("Session")).toBe(1)
  await page.signOut(stay)
  expect(people.count("Session")).toBe(0)
})

test("that fails leaves what is known as it is", async () => {
  const visited = await signedIn()
  const page = visited.open()
  await page.getSession()
  visited.network = ({ method }) =>
    method === "POST" ? new Response("", { status: 500 }) : undefined
  expect(await page.signOut(stay)).toMatchObject({ ok: false, kind: "unavailable", status: 500 })
  expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
})
