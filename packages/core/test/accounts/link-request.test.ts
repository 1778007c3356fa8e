import { assertRefused, type Browser, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { ApplicationConfig } from "../support/application.ts"
import { ada, bob, type LinkingHouse, linkingHouse } from "../support/linking-house.ts"

const sessionName = "__Secure-authjs.session-token"
const strategies = ["database", "jwt"] as const
const link = { link: "true" }

/** A house with Ada signed in through `work`; the other provider knows Bob. */
async function withAda(strategy: "database" | "jwt", changes: Partial<ApplicationConfig> = {}) {
  const house = await linkingHouse({ session: { strategy }, ...changes })
  house.work.user(ada)
  house.club.user(bob)
  const person = house.visitor()
  await person.signIn(house.work)
  const id = String(house.rows("User")[0]?.["id"])
  return { ...house, person, id }
}

/** Signs Bob in, as a user of his own, through `club`. */
async function bobIn(house: LinkingHouse): Promise<Browser> {
  const visitor = house.visitor()
  await visitor.signIn(house.club)
  return visitor
}

function nameOf(session: Awaited<ReturnType<Browser["session"]>>): unknown {
  return session?.user?.name
}

describe.each(strategies)("linking by a person who is signed in (%s)", (strategy) => {
  test("adds the account to the user when it was asked for", async () => {
    const house = await withAda(strategy)
    const answer = await house.person.open(
      house.club.approve(
        await house.person.begin(house.club, { ...link, callbackUrl: "/account" }),
      ),
    )
    expect(answer.headers.get("location")).toBe("https://app.example/account")
    expect(nameOf(await house.person.session())).toBe("Ada")
    expect(house.accounts()).toEqual([`club ${house.id}`, `work ${house.id}`])
    expect(house.rows("User")).toHaveLength(1)
    await house.person.signOut()
    await house.person.signIn(house.club)
    expect(nameOf(await house.person.session())).toBe("Ada")
  })

  test("adds it even when its address is another user's", async () => {
    const house = await withAda(strategy)
    await house.user({ email: "bob@example.com", name: "Bob" })
    await house.person.signIn(house.club, link)
    expect(house.accounts()).toEqual([`club ${house.id}`, `work ${house.id}`])
  })

  test("an account that is already the user's stays, and the person too", async () => {
    const house = await withAda(strategy)
    await house.person.signIn(house.club, link)
    await house.person.signIn(house.club, link)
    expect(nameOf(await house.person.session())).toBe("Ada")
    expect(house.accounts()).toEqual([`club ${house.id}`, `work ${house.id}`])
  })

  test("112 is refused when the account is another user's; the session stays as it was", async () => {
    const house = await withAda(strategy)
    await bobIn(house)
    const before = [house.person.cookies.get(sessionName)?.value, house.counts()]
    const answer = await house.person.signIn(house.club, link)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect([house.person.cookies.get(sessionName)?.value, house.counts()]).toEqual(before)
    expect(nameOf(await house.person.session())).toBe("Ada")
  })

  test("113 does not happen without being asked for: the other person comes in instead", async () => {
    const house = await withAda(strategy)
    await house.person.signIn(house.club)
    expect(nameOf(await house.person.session())).toBe("Bob")
    expect(house.accounts()).toHaveLength(2)
    expect(house.rows("User")).toHaveLength(2)
  })

  test("113 cannot be asked for by the address of the request", async () => {
    const house = await withAda(strategy)
    const url = await house.person.begin(house.club, {}, link)
    await house.person.open(house.club.approve(url))
    expect(nameOf(await house.person.session())).toBe("Bob")
    expect(house.rows("User")).toHaveLength(2)
  })

  test("113 the answer to an attacker's own request links nothing in the victim's browser", async () => {
    const house = await withAda(strategy)
    const mallory = house.visitor()
    house.work.user({ sub: "mallory", email: "mallory@example.com", name: "Mallory" })
    await mallory.signIn(house.work)
    const comeback = house.club.approve(await mallory.begin(house.club, link))
    assertRefused(await house.person.open(comeback))
    expect(house.accounts().filter((account) => account.startsWith("club"))).toEqual([])
    expect(nameOf(await house.person.session())).toBe("Ada")
  })

  test("113 is refused when somebody else signed in meanwhile", async () => {
    const house = await withAda(strategy)
    const comeback = house.club.approve(await house.person.begin(house.club, link))
    house.work.user({ sub: "cleo", email: "cleo@example.com", name: "Cleo" })
    await house.person.signIn(house.work)
    const answer = await house.person.open(comeback)
    assertRefused(answer)
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
    expect(house.accounts().filter((account) => account.startsWith("club"))).toEqual([])
    expect(nameOf(await house.person.session())).toBe("Cleo")
  })

  test("113 is refused when the person signed out meanwhile", async () => {
    const house = await withAda(strategy)
    const comeback = house.club.approve(await house.person.begin(house.club, link))
    await house.person.signOut()
    assertRefused(await house.person.open(comeback))
    expect(await house.person.session()).toBeNull()
    expect(house.accounts()).toEqual([`work ${house.id}`])
  })

  test("113 a session that is planted after the beginning gets nothing", async () => {
    const house = await withAda(strategy)
    const mallory = await bobIn(house)
    const comeback = house.club.approve(await house.person.begin(house.club, link), {
      user: { ...bob, sub: "new" },
    })
    const planted = mallory.cookies.get(sessionName)?.value ?? ""
    const cookie = `${sessionName}=${encodeURIComponent(planted)}; Path=/; Secure; HttpOnly`
    house.person.cookies.plant("https://app.example", cookie)
    assertRefused(await house.person.open(comeback))
    expect(house.accounts().filter((account) => account.startsWith("club"))).toHaveLength(1)
  })

  test("is refused when nobody is signed in", async () => {
    const house = await withAda(strategy)
    const stranger = house.visitor()
    const csrfToken = await stranger.csrf()
    const answer = await stranger.post("/auth/signin/club", { csrfToken, ...link })
    assertRefused(answer)
    expect(errorOf(answer)).toBe("OAuthAccountNotLinked")
  })

  test.each(["getUser", "linkAccount"] as const)(
    "a fault in %s links nothing, signs nobody out, and succeeds when tried again",
    async (method) => {
      const house = await withAda(strategy)
      const url = await house.person.begin(house.club, link)
      house.fail(method)
      assertRefused(await house.person.open(house.club.approve(url)))
      expect(house.accounts()).toEqual([`work ${house.id}`])
      expect(nameOf(await house.person.session())).toBe("Ada")
      await house.person.signIn(house.club, link)
      expect(house.accounts()).toEqual([`club ${house.id}`, `work ${house.id}`])
      expect(house.rows("User")).toHaveLength(1)
    },
  )
})

describe.each(strategies)('with `accountLinking: "signed-in"` (%s)', (strategy) => {
  test("every attempt of a person who is signed in adds the account", async () => {
    const house = await withAda(strategy, { accountLinking: "signed-in" })
    await house.person.signIn(house.club)
    expect(nameOf(await house.person.session())).toBe("Ada")
    expect(house.accounts()).toEqual([`club ${house.id}`, `work ${house.id}`])
  })

  test("112 an account of another user is refused, and the session stays", async () => {
    const house = await withAda(strategy, { accountLinking: "signed-in" })
    await bobIn(house)
    assertRefused(await house.person.signIn(house.club))
    expect(nameOf(await house.person.session())).toBe("Ada")
  })

  test("113 an attempt that began before anybody was signed in adds nothing", async () => {
    const house = await withAda(strategy, { accountLinking: "signed-in" })
    await house.person.signOut()
    const comeback = house.club.approve(await house.person.begin(house.club))
    await house.person.signIn(house.work)
    await house.person.open(comeback)
    expect(nameOf(await house.person.session())).toBe("Bob")
    expect(house.rows("User")).toHaveLength(2)
  })
})

test("113 is refused when the person signed in anew meanwhile: that is another session", async () => {
  const house = await withAda("database")
  const comeback = house.club.approve(await house.person.begin(house.club, link))
  await house.person.signIn(house.work)
  assertRefused(await house.person.open(comeback))
  expect(house.accounts()).toEqual([`work ${house.id}`])
})

test("an expired session is nobody's, and links nothing", async () => {
  const house = await withAda("database")
  const comeback = house.club.approve(await house.person.begin(house.club, link))
  const [session] = house.rows("Session")
  const sessionToken = String(session?.["sessionToken"])
  await house.adapter.updateSession({ sessionToken, expires: new Date(Date.now() - 1000) })
  assertRefused(await house.person.open(comeback))
  expect(house.accounts()).toEqual([`work ${house.id}`])
})

test("a user who was deleted meanwhile gets no account back", async () => {
  const house = await withAda("jwt")
  const comeback = house.club.approve(await house.person.begin(house.club, link))
  await house.adapter.deleteUser(house.id)
  assertRefused(await house.person.open(comeback))
  expect(house.counts()).toEqual([0, 0, 0, 0])
})
