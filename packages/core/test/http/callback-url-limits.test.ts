/** Security cases 6–11: callback URLs that cannot be used are as good as absent. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { callbackCookie, callbackDoors } from "../support/callback-doors.ts"
import { ask, home, rightWord, type Site, site } from "../support/front-door.ts"

const unusable = [
  "https://[bad",
  "https://app.example:99999/",
  "https://",
  "http://%zz",
  "//",
  "dashboard",
  "?tab=1",
  "",
]

/** What a browser keeps of where to go afterwards. */
function kept(setCookies: readonly string[]): string | undefined {
  const line = setCookies.find((each) => each.startsWith(`${callbackCookie}=`))
  return line && decodeURIComponent(line.slice(callbackCookie.length + 1).split(";")[0] ?? "")
}

function longestCookie(setCookies: readonly string[]): number {
  const sizes = setCookies.map((line) => line.split(";")[0]?.length ?? 0)
  return Math.max(...sizes)
}

describe("the cookie that remembers where to go", () => {
  test.each([
    ["6 that names a foreign site is ignored and replaced", "https://evil.example/"],
    ["6 that names a script is ignored and replaced", "javascript:alert(1)"],
    ["8 that is no URL is ignored and replaced", "https://[bad"],
    ["8 that has control characters is ignored and replaced", "/a\r\nb"],
    ["8 that is too long is ignored and replaced", `/${"a".repeat(3000)}`],
  ])("%s", async (_, value) => {
    const { visitor, log } = await site()
    const alice = visitor()
    await alice.signIn("credentials", rightWord)
    const planted = `${callbackCookie}=${encodeURIComponent(value)}; Path=/; Secure`
    alice.cookies.plant(home, planted)

    const answer = await alice.fetch("/auth/session")

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: { name: "Ada" } })
    expect(kept(alice.setCookies)).toBe(home)
    expect(log.errors).toEqual([])
  })

  test("6 is written only when it changes", async () => {
    const alice = (await site()).visitor()
    await alice.open("/auth/signin?callbackUrl=/a")
    expect(kept(alice.setCookies)).toBe(`${home}/a`)
    await alice.open("/auth/signin")
    expect(kept(alice.setCookies)).toBeUndefined()
    await alice.open("/auth/signin?callbackUrl=/b")
    expect(kept(alice.setCookies)).toBe(`${home}/b`)
  })
})

describe.each(Object.entries(callbackDoors))("%s", (_, door) => {
  test("7 an address that is none counts as absent, and is no fault of the site", async () => {
    for (const url of unusable) {
      const { log, ...rest } = await site()
      const targets = await door({ log, ...rest }, url)
      expect([url, targets.at(-1), log.errors]).toEqual([url, home, []])
    }
  })

  test("7 is never shown to the application's `redirect`", async () => {
    const asked: string[] = []
    const redirect = ({ url }: { url: string }) => {
      asked.push(url)
      return new URL(url, home).href
    }
    for (const url of [...unusable, "javascript:alert(1)", "/a\nb"]) {
      const changed = await site({ callbacks: { redirect } })
      await door(changed, url)
      expect(asked).not.toContain(url)
      expect(changed.log.errors).toEqual([])
    }
  })

  test("9 an address of 10 kB is not kept, and not gone to", async () => {
    for (const long of [
      `/${"a".repeat(10_000)}`,
      `/${"./".repeat(2000)}x`,
      `/${"ж".repeat(2000)}`,
    ]) {
      const { log, ...rest } = await site()
      const targets = await door({ log, ...rest }, long)
      expect([targets.at(-1), log.errors]).toEqual([home, []])
    }
  })
})

describe("long addresses", () => {
  const provided = async (callbackUrl: string) => {
    const { visitor, provider, log }: Site = await site()
    const alice = visitor()
    const begun = await alice.begin(provider, { callbackUrl })
    const longest = longestCookie(alice.setCookies)
    const answer = await alice.open(provider.approve(begun))
    return { to: answer.headers.get("location"), longest, log, rejected: alice.cookies.rejected }
  }

  test.each([
    ["plain", "/", "a"],
    ["percent-encoded", "/?q=", "%22"],
    ["quotes", "/?q=", '"'],
    ["backslashes", "/?q=", "\\"],
    ["backslashes in a fragment", "/#", "\\"],
    ["beyond ASCII", "/", "ж"],
    ["beyond the basic plane", "/?q=", "😀"],
  ])("9 %s: no cookie is over 4096 bytes, at any length", async (_, start, piece) => {
    for (const length of [100, 330, 660, 1000, 1500, 2000, 2028, 2040, 2048, 4000]) {
      const url = start + piece.repeat(Math.floor((length - start.length) / piece.length))
      const { to, longest, log, rejected } = await provided(url)
      expect(longest).toBeLessThanOrEqual(4096)
      expect(rejected).toEqual([])
      expect(log.errors).toEqual([])
      expect([home, new URL(url, home).href.replaceAll("\\", "%5C")]).toContain(to)
    }
  })

  test("9 an address of 1500 characters is gone to", async () => {
    const { to } = await provided(`/${"a".repeat(1500)}`)
    expect(to).toBe(`${home}/${"a".repeat(1500)}`)
  })
})

describe("10 a callback URL that is no text", () => {
  test.each([
    ["an array", ["/evil"]],
    ["an object", { url: "/evil" }],
    ["a number", 1],
    ["true", true],
    ["null", null],
  ])("%s counts as absent", async (_, callbackUrl) => {
    const { visitor, log } = await site()
    const alice = visitor()
    const answer = await alice.fetch("/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: await alice.csrf(), callbackUrl }),
    })
    expect(answer.headers.get("location")).toBe(home)
    expect(log.errors).toEqual([])
  })
})

describe("11 several callback URLs in one request", () => {
  const signedOut = async (query: string, body: [string, string][], cookie?: string) => {
    const alice = (await site()).visitor()
    const csrfToken = await alice.csrf()
    if (cookie) alice.cookies.plant(home, `${callbackCookie}=${cookie}; Path=/; Secure`)
    const form = new URLSearchParams([["csrfToken", csrfToken], ...body])
    const answer = await alice.post(`/auth/signout${query}`, form)
    return answer.headers.get("location")
  }

  test("the body goes before the query, the query before the cookie", async () => {
    const body: [string, string][] = [["callbackUrl", "/body"]]
    expect(await signedOut("?callbackUrl=/query", body, "/cookie")).toBe(`${home}/body`)
    expect(await signedOut("?callbackUrl=/query", [], "/cookie")).toBe(`${home}/query`)
    expect(await signedOut("", [], "/cookie")).toBe(`${home}/cookie`)
    expect(await signedOut("", [])).toBe(home)
  })

  test("of several in one place the last one counts, and it stays on the site", async () => {
    const twice: [string, string][] = [
      ["callbackUrl", "/first"],
      ["callbackUrl", "/last"],
    ]
    expect(await signedOut("", twice)).toBe(`${home}/last`)
    expect(await signedOut("?callbackUrl=/first&callbackUrl=/last", [])).toBe(`${home}/last`)
    const foreign = "?callbackUrl=/first&callbackUrl=https://evil.example"
    expect(await signedOut(foreign, [])).toBe(home)
  })

  test("an unusable one gives way to the next place", async () => {
    const body: [string, string][] = [["callbackUrl", "https://[bad"]]
    expect(await signedOut("?callbackUrl=/query", body)).toBe(`${home}/query`)
  })
})

test("7 an address that is none does not keep a refusal from being one", async () => {
  const { config } = await site()
  const answer = await ask(config, "/auth/signout?callbackUrl=https://[bad", { method: "POST" })
  assertRefused(answer)
})
