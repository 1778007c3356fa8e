import {
  AuthError,
  CredentialsSignin,
  getSession,
  type ReactiveAuthConfig,
  signIn,
  signOut,
  updateSession,
} from "@latchkey/solid-start"
import { type Browser, browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, configOf, password } from "./support/config.ts"
import { application, during, eventFor, type Task } from "./support/start.ts"

/** The server functions of an application. */
function functions(config: ReactiveAuthConfig, rest: Record<string, Task> = {}) {
  const tasks: Record<string, Task> = {
    "/enter": async ({ request }) => signIn(config, new URLSearchParams(await request.text())),
    "/leave": () => signOut(config, { redirectTo: "/" }),
    "/rename": () => updateSession(config, { name: "Alice L." }),
    "/session": ({ request }) => getSession(request, config),
    ...rest,
  }
  return browser(application(config, tasks), { basePath: "/api/auth" })
}

const fields = { providerId: "credentials", ...alice, redirectTo: "/members?tab=1#top" }
/** What SolidStart's script sends along. */
const script = { headers: { "x-server-instance": "server-fn:0" } }
const nameOf = async (person: Browser) => (await person.session())?.user?.name

describe("signing in from a server function", () => {
  test("leads on with 303, and somebody is signed in", async () => {
    const person = functions(configOf())
    const answer = await person.post("/enter", fields)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe("https://app.example/members?tab=1#top")
    expect(await nameOf(person)).toBe("alice")
  })

  test("names a page by its path for a script, whose router goes there", async () => {
    const answer = await functions(configOf()).post("/enter", fields, script)
    expect(answer.headers.get("location")).toBe("/members?tab=1#top")
  })

  test.each([
    ["pages of the library", "/api/auth/signin", "https://app.example/api/auth/signin"],
    ["what would be another host", "/.//evil.example/x", "https://app.example//evil.example/x"],
  ])("names %s in full for a script, too", async (_case, redirectTo, location) => {
    const answer = await functions(configOf()).post("/enter", { ...fields, redirectTo }, script)
    expect(answer.headers.get("location")).toBe(location)
  })

  test("takes a form as SolidStart 1 gives it, and options", async () => {
    const config = configOf()
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const options = { user: "bob", password, redirectTo: "/" }
    const person = functions(config, {
      "/form": () => signIn(config, form),
      "/options": () => signIn(config, { provider: "credentials", options }),
    })
    await person.post("/form", {})
    expect(await nameOf(person)).toBe("alice")
    await person.post("/options", {})
    expect(await nameOf(person)).toBe("bob")
  })

  test("begins at a provider, with parameters for it", async () => {
    const provider = await scriptedProvider()
    const config = configOf({ providers: [provider.asOidc()] })
    const person = functions(config)
    const body = { providerId: provider.id, "authorizationParams-prompt": "login" }
    const begun = await person.post("/enter", body, script)
    const url = new URL(begun.headers.get("location") ?? "")
    expect(url.searchParams.get("prompt")).toBe("login")
    await person.open(provider.approve(url))
    expect(await person.session()).not.toBeNull()
  })

  test("leads to the sign-in page without a provider", async () => {
    const answer = await functions(configOf()).post("/enter", { redirectTo: "/members" }, script)
    expect(answer.headers.get("location")).toMatch(/^https:\/\/app\.example\/api\/auth\/signin\b/)
  })

  test("throws what was wrong with credentials", async () => {
    const config = configOf()
    const wrong = { provider: "credentials", options: { ...alice, password: "wrong" } }
    const person = functions(config, {
      "/wrong": () =>
        signIn(config, wrong).catch((error: unknown) => {
          if (error instanceof CredentialsSignin) return [error.type, error.code]
          throw error
        }),
    })
    const answer = await person.post("/wrong", {})
    expect(await answer.json()).toEqual(["CredentialsSignin", "credentials"])
    expect(await person.session()).toBeNull()
  })
})

test("signing out leads on, and nobody is signed in", async () => {
  const person = functions(configOf())
  await person.post("/enter", fields)
  const answer = await person.post("/leave", {}, script)
  expect(answer.headers.get("location")).toBe("/")
  expect(await person.session()).toBeNull()
})

test("an update gives the new session, and keeps it", async () => {
  const person = functions(configOf())
  await person.post("/enter", fields)
  const answer = await person.post("/rename", {})
  expect(await answer.json()).toMatchObject({ user: { name: "Alice L." } })
  expect(await nameOf(person)).toBe("Alice L.")
})

test("a session that was refreshed before does not survive its end", async () => {
  const config = configOf({ session: { updateAge: 0 } })
  const person = functions(config, {
    "/both": async ({ request }) => {
      await getSession(request, config)
      return signOut(config)
    },
  })
  await person.post("/enter", fields)
  await person.post("/both", {})
  expect(person.setCookies.filter((line) => line.includes("session-token"))).toHaveLength(1)
  expect(await person.session()).toBeNull()
})

describe("a request that no page of the application made", () => {
  test.each(["/enter", "/leave", "/rename"])("is refused by %s", async (path) => {
    const person = functions(configOf())
    await person.post("/enter", fields)
    const foreign = person.post(path, fields, { from: "https://evil.example" })
    await expect(foreign).rejects.toMatchObject({ type: "MissingCSRF" })
    await expect(person.open(path)).rejects.toMatchObject({ type: "MissingCSRF" })
    expect(await nameOf(person)).toBe("alice")
  })

  test.each(["/enter", "/leave", "/rename"])(
    "nor any that talked a page into it: %s",
    async (path) => {
      const person = functions(configOf())
      // An image, or where somebody is led to after a sign-in: SolidStart runs server functions for it.
      const headers = { "sec-fetch-site": "same-origin" }
      await expect(person.fetch(path, { headers })).rejects.toMatchObject({ type: "MissingCSRF" })
    },
  )

  test("says why, and nothing of the server's code", async () => {
    const leaving = functions(configOf()).post("/leave", {}, { from: "https://evil.example" })
    const error: Error = await leaving.then(
      () => new Error("It was done."),
      (thrown) => thrown,
    )
    expect(error.message).toContain("Expected a request from https://app.example")
    expect(Object.getOwnPropertyNames(error).sort()).toEqual(["kind", "message", "name", "type"])
  })
})

test("an answer that is on its way can set no cookies", async () => {
  const config = configOf()
  const request = new Request("https://app.example/", {
    method: "POST",
    headers: { origin: "https://app.example" },
  })
  const event = eventFor(request, { nativeEvent: { node: { res: { headersSent: true } } } })
  const late = during(event, () => signIn(config, { provider: "credentials", options: alice }))
  await expect(late).rejects.toThrow("on its way")
})

test("outside of a request there is nobody to sign in", async () => {
  const outside = signIn(configOf(), { provider: "credentials", options: alice })
  await expect(outside).rejects.toThrow(TypeError)
  await expect(signOut(configOf())).rejects.not.toBeInstanceOf(AuthError)
})

describe("what is asked later in the same request goes by what was done", () => {
  /** A configuration whose sessions are refreshed whenever they are looked at. */
  const config = configOf({
    session: { updateAge: 0 },
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, ...session } : token,
      session: ({ session, token }) => ({ ...session, color: token["color"], name: token.name }),
    },
  })
  /** The redirect is thrown: what comes after it is what a `finally`, or the page of a single flight, does. */
  const thenAsk =
    (work: Task): Task =>
    async (event) => {
      const thrown = await Promise.resolve(work(event)).catch((error) => error)
      await getSession(event.request, config)
      throw thrown
    }

  test("a sign-out is not undone", async () => {
    const person = functions(config, { "/leave": thenAsk(() => signOut(config)) })
    await person.post("/enter", fields)
    await person.post("/leave", {})
    expect(await person.session()).toBeNull()
  })

  test("nor by a look that began before", async () => {
    const refreshing = configOf({
      session: { updateAge: 0 },
      callbacks: {
        jwt: async ({ token, trigger }) => {
          if (!trigger) await new Promise((resolve) => setTimeout(resolve, 20))
          return token
        },
      },
    })
    const person = functions(refreshing, {
      "/leave": async ({ request }) => {
        const early = getSession(request, refreshing)
        const thrown = await signOut(refreshing).catch((redirect: unknown) => redirect)
        await early
        throw thrown
      },
    })
    await person.post("/enter", fields)
    await person.post("/leave", {})
    expect(await person.session()).toBeNull()
  })

  test("a change of the person is not undone", async () => {
    const bob = { provider: "credentials", options: { user: "bob", password } }
    const person = functions(config, { "/switch": thenAsk(() => signIn(config, bob)) })
    await person.post("/enter", fields)
    await person.post("/switch", {})
    expect(await nameOf(person)).toBe("bob")
  })

  test("two changes both last", async () => {
    const person = functions(config, {
      "/twice": async () => {
        await updateSession(config, { name: "Alice II" })
        return updateSession(config, { color: "red" })
      },
    })
    await person.post("/enter", fields)
    await person.post("/twice", {})
    expect(await person.session()).toMatchObject({ color: "red", name: "Alice II" })
  })
})
