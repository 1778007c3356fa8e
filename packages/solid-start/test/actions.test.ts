import {
  AuthError,
  CredentialsSignin,
  getSession,
  type ReactiveAuthConfig,
  signIn,
  signOut,
  updateSession,
} from "@latchkey/solid-start"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createApplication, createEvent, type Handler, runInEvent } from "./support/application.ts"
import { alice, createConfig, password } from "./support/config.ts"

/** The server functions of an application. */
function openTestApplication(config: ReactiveAuthConfig, rest: Record<string, Handler> = {}) {
  const handlers: Record<string, Handler> = {
    "/enter": async ({ request }) => signIn(config, new URLSearchParams(await request.text())),
    "/leave": () => signOut(config, { redirectTo: "/" }),
    "/rename": () => updateSession(config, { name: "Alice L." }),
    "/session": ({ request }) => getSession(request, config),
    ...rest,
  }
  return createTestBrowser(createApplication(config, handlers), { basePath: "/api/auth" })
}

const fields = { providerId: "credentials", ...alice, redirectTo: "/members?tab=1#top" }
/** The header that SolidStart's script sends. */
const scriptRequest = { headers: { "x-server-instance": "server-fn:0" } }
const getUserName = async (user: TestBrowser) => (await user.getSession())?.user?.name

describe("signing in from a server function", () => {
  test("redirects with 303 and signs the user in", async () => {
    const user = openTestApplication(createConfig())
    const response = await user.post("/enter", fields)
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe("https://app.example/members?tab=1#top")
    expect(await getUserName(user)).toBe("alice")
  })

  test("returns the path of the page to the client router", async () => {
    const response = await openTestApplication(createConfig()).post("/enter", fields, scriptRequest)
    expect(response.headers.get("location")).toBe("/members?tab=1#top")
  })

  test.each([
    ["pages of the library", "/api/auth/signin", "https://app.example/api/auth/signin"],
    ["what would be another host", "/.//evil.example/x", "https://app.example//evil.example/x"],
  ])("names %s in full for a script, too", async (_case, redirectTo, location) => {
    const response = await openTestApplication(createConfig()).post(
      "/enter",
      { ...fields, redirectTo },
      scriptRequest,
    )
    expect(response.headers.get("location")).toBe(location)
  })

  test("accepts a form as SolidStart 1 passes it, and options", async () => {
    const config = createConfig()
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const options = { user: "bob", password }
    const user = openTestApplication(config, {
      "/form": () => signIn(config, form),
      "/options": () => signIn(config, "credentials", { fields: options, redirectTo: "/" }),
    })
    await user.post("/form", {})
    expect(await getUserName(user)).toBe("alice")
    await user.post("/options", {})
    expect(await getUserName(user)).toBe("bob")
  })

  test("redirects to a provider with authorization parameters", async () => {
    const provider = await createScriptedProvider()
    const config = createConfig({ providers: [provider.asOidc()] })
    const user = openTestApplication(config)
    const body = { providerId: provider.id, "authorizationParams-prompt": "login" }
    const signInResponse = await user.post("/enter", body, scriptRequest)
    const url = new URL(signInResponse.headers.get("location") ?? "")
    expect(url.searchParams.get("prompt")).toBe("login")
    await user.open(provider.approve(url))
    expect(await user.getSession()).not.toBeNull()
  })

  test("overrides what the provider configures with options, not with a form", async () => {
    const provider = await createScriptedProvider()
    const authorization = { params: { prompt: "login" } }
    const config = createConfig({ providers: [provider.asOidc({ authorization })] })
    const user = openTestApplication(config, {
      "/options": () => signIn(config, provider.id, {}, { prompt: "none" }),
    })
    const body = { providerId: provider.id, "authorizationParams-prompt": "consent" }
    const getPrompt = async (path: string) => {
      const response = await user.post(path, body, scriptRequest)
      return new URL(response.headers.get("location") ?? "").searchParams.getAll("prompt")
    }
    expect(await getPrompt("/enter")).toEqual(["login"])
    expect(await getPrompt("/options")).toEqual(["none"])
  })

  test("redirects to the sign-in page without a provider", async () => {
    const response = await openTestApplication(createConfig()).post(
      "/enter",
      { redirectTo: "/members" },
      scriptRequest,
    )
    expect(response.headers.get("location")).toMatch(/^https:\/\/app\.example\/api\/auth\/signin\b/)
  })

  test("throws for wrong credentials", async () => {
    const config = createConfig()
    const fields = { ...alice, password: "wrong" }
    const user = openTestApplication(config, {
      "/wrong": () =>
        signIn(config, "credentials", { fields }).catch((error: unknown) => {
          if (error instanceof CredentialsSignin) return [error.type, error.code]
          throw error
        }),
    })
    const response = await user.post("/wrong", {})
    expect(await response.json()).toEqual(["CredentialsSignin", "credentials"])
    expect(await user.getSession()).toBeNull()
  })
})

test("signing out redirects and ends the session", async () => {
  const user = openTestApplication(createConfig())
  await user.post("/enter", fields)
  const response = await user.post("/leave", {}, scriptRequest)
  expect(response.headers.get("location")).toBe("/")
  expect(await user.getSession()).toBeNull()
})

test("an update returns and stores the new session", async () => {
  const user = openTestApplication(createConfig())
  await user.post("/enter", fields)
  const response = await user.post("/rename", {})
  expect(await response.json()).toMatchObject({ user: { name: "Alice L." } })
  expect(await getUserName(user)).toBe("Alice L.")
})

test("a session that was renewed before does not survive a sign-out", async () => {
  const config = createConfig({ session: { updateAge: 0 } })
  const user = openTestApplication(config, {
    "/both": async ({ request }) => {
      await getSession(request, config)
      return signOut(config)
    },
  })
  await user.post("/enter", fields)
  await user.post("/both", {})
  expect(user.setCookieHeaders.filter((line) => line.includes("session-token"))).toHaveLength(1)
  expect(await user.getSession()).toBeNull()
})

describe("a request from another site", () => {
  test.each(["/enter", "/leave", "/rename"])("is refused by %s", async (path) => {
    // Where no token is checked, `trustedOrigins` changes nothing.
    const user = openTestApplication(createConfig({ trustedOrigins: ["https://evil.example"] }))
    await user.post("/enter", fields)
    const crossSiteRequest = user.post(path, fields, { from: "https://evil.example" })
    await expect(crossSiteRequest).rejects.toMatchObject({ type: "MissingCSRF" })
    await expect(user.open(path)).rejects.toMatchObject({ type: "MissingCSRF" })
    expect(await getUserName(user)).toBe("alice")
  })

  test.each(["/enter", "/leave", "/rename"])(
    "is refused as a same-origin GET, too: %s",
    async (path) => {
      const user = openTestApplication(createConfig())
      // For example an image or a redirect after a sign-in: SolidStart runs server functions for GET, too.
      const headers = { "sec-fetch-site": "same-origin" }
      await expect(user.fetch(path, { headers })).rejects.toMatchObject({ type: "MissingCSRF" })
    },
  )

  test("is refused with an error without details of the server", async () => {
    const signOutRequest = openTestApplication(createConfig()).post(
      "/leave",
      {},
      { from: "https://evil.example" },
    )
    const error: Error = await signOutRequest.then(
      () => new Error("It was done."),
      (thrown) => thrown,
    )
    expect(error.message).toContain("Expected a request from https://app.example")
    expect(Object.getOwnPropertyNames(error).sort()).toEqual([
      "kind",
      "message",
      "name",
      "status",
      "type",
    ])
  })
})

test("cookies cannot be set after the response was sent", async () => {
  const config = createConfig()
  const request = new Request("https://app.example/", {
    method: "POST",
    headers: { origin: "https://app.example" },
  })
  const event = createEvent(request, { nativeEvent: { node: { res: { headersSent: true } } } })
  const lateSignIn = runInEvent(event, () => signIn(config, "credentials", { fields: alice }))
  await expect(lateSignIn).rejects.toThrow("has been sent")
})

test("the functions throw outside of a request", async () => {
  const signInOutsideRequest = signIn(createConfig(), "credentials", { fields: alice })
  await expect(signInOutsideRequest).rejects.toThrow(TypeError)
  await expect(signOut(createConfig())).rejects.not.toBeInstanceOf(AuthError)
})

describe("later reads in the same request see the changes", () => {
  /** A configuration whose sessions are renewed whenever they are read. */
  const config = createConfig({
    session: { updateAge: 0 },
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, ...session } : token,
      session: ({ session, token }) => ({ ...session, color: token["color"], name: token.name }),
    },
  })
  /** Catches the redirect. Code after it runs in a `finally`, or in the page of a single-flight mutation. */
  const readSessionAfter =
    (handler: Handler): Handler =>
    async (event) => {
      const thrown = await Promise.resolve(handler(event)).catch((error) => error)
      await getSession(event.request, config)
      throw thrown
    }

  test("a sign-out is not undone", async () => {
    const user = openTestApplication(config, { "/leave": readSessionAfter(() => signOut(config)) })
    await user.post("/enter", fields)
    await user.post("/leave", {})
    expect(await user.getSession()).toBeNull()
  })

  test("a sign-out is not undone by a read that began before", async () => {
    const refreshingConfig = createConfig({
      session: { updateAge: 0 },
      callbacks: {
        jwt: async ({ token, trigger }) => {
          if (!trigger) await new Promise((resolve) => setTimeout(resolve, 20))
          return token
        },
      },
    })
    const user = openTestApplication(refreshingConfig, {
      "/leave": async ({ request }) => {
        const earlySession = getSession(request, refreshingConfig)
        const thrown = await signOut(refreshingConfig).catch((redirect: unknown) => redirect)
        await earlySession
        throw thrown
      },
    })
    await user.post("/enter", fields)
    await user.post("/leave", {})
    expect(await user.getSession()).toBeNull()
  })

  test("a change of the user is not undone", async () => {
    const bob = { user: "bob", password }
    const user = openTestApplication(config, {
      "/switch": readSessionAfter(() => signIn(config, "credentials", { fields: bob })),
    })
    await user.post("/enter", fields)
    await user.post("/switch", {})
    expect(await getUserName(user)).toBe("bob")
  })

  test("two changes are both kept", async () => {
    const user = openTestApplication(config, {
      "/twice": async () => {
        await updateSession(config, { name: "Alice II" })
        return updateSession(config, { color: "red" })
      },
    })
    await user.post("/enter", fields)
    await user.post("/twice", {})
    expect(await user.getSession()).toMatchObject({ color: "red", name: "Alice II" })
  })
})
