/** A sign-in that is under way when its user's sessions end does not lead to another session. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createOAuthApp } from "../support/oauth-app.ts"
import {
  createRecordApp,
  type RecordAppOptions,
  type RecordProcess,
} from "../support/record-app.ts"

/** Runs work once, in the middle of a sign-in. */
type Interruption = () => Promise<unknown>

/** Where a sign-in waits, with the changes of the configuration that make it wait. */
const places: Record<string, (wait: Interruption) => Partial<AuthConfig>> = {
  "`authorize`": (wait) => ({
    providers: [
      credentials({
        credentials: { name: {} },
        async authorize({ name }) {
          await wait()
          return { id: `user-${name}`, name: String(name) }
        },
      }),
    ],
  }),
  "the `signIn` callback": (wait) => ({
    callbacks: {
      async signIn() {
        await wait()
        return true
      },
    },
  }),
  "the `redirect` callback": (wait) => ({
    callbacks: {
      async redirect({ url }) {
        await wait()
        return url
      },
    },
  }),
}

/** Starts two processes. Sign-ins of the first one are interrupted once, by work of the second one. */
async function createInterruptedApp(
  options: RecordAppOptions,
  place: (wait: Interruption) => Partial<AuthConfig>,
  interrupt: (other: RecordProcess) => Promise<unknown>,
) {
  const app = await createRecordApp(options)
  const other = app.startProcess()
  let isDue = true
  const process = app.startProcess(
    place(async () => {
      if (isDue) {
        isDue = false
        await interrupt(other)
      }
    }),
  )
  return { ...app, other, process }
}

const signIn = async (process: RecordProcess) => {
  const browser = process.openBrowser()
  const response = await browser.signIn("credentials", { name: "ada" })
  return { browser, location: response.headers.get("location") }
}

const jwtCallback: [string, (wait: Interruption) => Partial<AuthConfig>] = [
  "the `jwt` callback",
  (wait) => ({
    callbacks: {
      async jwt({ token }) {
        await wait()
        return token
      },
    },
  }),
]

describe.each(["jwt", "database"] as const)("strategy %s", (strategy) => {
  describe.each([...Object.entries(places), ...(strategy === "jwt" ? [jwtCallback] : [])])(
    "in %s",
    (_, place) => {
      test("a sign-in ends when all sessions of its user do", async () => {
        const app = await createInterruptedApp({ strategy }, place, ({ auth }) =>
          auth.sessions.revokeAll("user-ada"),
        )
        const { browser, location } = await signIn(app.process)
        expect(location).toContain("error=AccessDenied")
        expect(await app.process.check(browser)).toBeNull()
        expect(await app.other.auth.sessions.list("user-ada")).toEqual([])
        expect(app.countRecords()).toBe(0)
        // The next one is another sign-in.
        expect(await app.other.check((await signIn(app.process)).browser)).toBe("ada")
      })

      test("whichever clock is ahead", async () => {
        for (const seconds of [-20, 20]) {
          const app = await createInterruptedApp({ strategy }, place, async ({ auth }) => {
            const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + seconds * 1000)
            await auth.sessions.revokeAll("user-ada").finally(() => clock.mockRestore())
          })
          const { browser } = await signIn(app.process)
          expect(await app.other.check(browser)).toBeNull()
        }
      })

      test("a sign-in ends when its user is deleted", async () => {
        const app = await createInterruptedApp({ strategy }, place, ({ auth }) =>
          auth.users.delete("user-ada"),
        )
        const { browser } = await signIn(app.process)
        expect(await app.process.check(browser)).toBeNull()
        expect(app.countRecords()).toBe(0)
      })

      test("and when other sessions of its user end", async () => {
        const app = await createRecordApp({ strategy })
        const other = app.startProcess()
        const kept = await other.signIn()
        const [session] = await other.auth.sessions.list("user-ada")
        const process = app.startProcess(
          place(() => other.auth.sessions.revokeAll("user-ada", { except: session?.id })),
        )
        const { browser } = await signIn(process)
        expect(await process.check(browser)).toBeNull()
        expect(await process.check(kept)).toBe("ada")
      })

      test("the sign-in of another user goes on", async () => {
        const app = await createInterruptedApp({ strategy }, place, ({ auth }) =>
          auth.sessions.revokeAll("user-bob"),
        )
        expect(await app.other.check((await signIn(app.process)).browser)).toBe("ada")
      })
    },
  )

  test("a sign-in that begins while a user is being deleted ends", async () => {
    const app = await createRecordApp({ strategy })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const { deleteUser } = first.adapter
    let browser = second.openBrowser()
    first.adapter.deleteUser = async (id): Promise<void> => {
      browser = (await signIn(second)).browser
      await deleteUser(id)
    }
    await first.auth.users.delete("user-ada")
    expect(await second.check(browser)).toBeNull()
    expect(app.countRecords()).toBe(0)
  })

  test("of two revocations at once, neither hides the other from a sign-in between them", async () => {
    for (const seconds of [0, 20]) {
      const app = await createRecordApp({ strategy })
      const [first, second] = [app.startProcess(), app.startProcess()]
      let begin = (): void => undefined
      let resume = (): void => undefined
      const hasBegun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const isResumed = new Promise<void>((resolve) => {
        resume = resolve
      })
      const process = app.startProcess({
        callbacks: {
          async signIn() {
            begin()
            await isResumed
            return true
          },
        },
      })
      const now = Date.now()
      const clock = vi.spyOn(Date, "now").mockReturnValue(now)
      let started = Promise.resolve<unknown>(undefined)
      let browser = process.openBrowser()
      const { saveSessionChange } = first.adapter
      // It has read what is there before the second one, with the same time or a later one, stores its change.
      first.adapter.saveSessionChange = async (change) => {
        first.adapter.saveSessionChange = saveSessionChange
        clock.mockReturnValue(now + seconds * 1000)
        await second.auth.sessions.revokeAll("user-ada")
        clock.mockReturnValue(now)
        started = signIn(process).then((signedIn) => {
          browser = signedIn.browser
        })
        await hasBegun
        await saveSessionChange(change)
      }
      await first.auth.sessions.revokeAll("user-ada")
      resume()
      await started
      expect(await process.check(browser)).toBeNull()
      clock.mockRestore()
      expect(await app.startProcess().check(browser)).toBeNull()
    }
  })

  test("of two revocations at once, the one that spares a session does not undo the other", async () => {
    for (const isFullFirst of [true, false]) {
      const app = await createRecordApp({ strategy })
      const [first, second] = [app.startProcess(), app.startProcess()]
      const ada = await first.signIn()
      const [session] = await first.auth.sessions.list("user-ada")
      const partial = () => second.auth.sessions.revokeAll("user-ada", { except: session?.id })
      const full = () => first.auth.sessions.revokeAll("user-ada")
      const { saveSessionChange } = first.adapter
      // Both have read what is there before either stores its change.
      first.adapter.saveSessionChange = async (change) => {
        first.adapter.saveSessionChange = saveSessionChange
        if (!isFullFirst) await partial()
        await saveSessionChange(change)
        if (isFullFirst) await partial()
      }
      await full()
      expect(await first.check(ada)).toBeNull()
      expect(await second.check(ada)).toBeNull()
      expect(await app.startProcess().check(ada)).toBeNull()
    }
  })
})

describe.each(["the `signIn` callback", "the `jwt` callback"])(
  "without records, in %s",
  (place) => {
    test("a sign-in ends when its user is deleted", async () => {
      let userId: string | undefined
      const deleteUser = async () => {
        if (userId) await createAuth(app.config).users.delete(userId)
        return true
      }
      const callbacks: AuthConfig["callbacks"] = {
        signIn: () => (place === "the `signIn` callback" ? deleteUser() : true),
        async jwt({ token, user }) {
          if (user && place === "the `jwt` callback") await deleteUser()
          return token
        },
      }
      const provider = await createScriptedProvider()
      const session = { strategy: "jwt" } as const
      const app = await createOAuthApp(provider.asOidc(), { session, callbacks })
      const first = createTestBrowser(app.app)
      await first.signIn(provider)
      userId = String(app.readRows("User")[0]?.["id"])
      const second = createTestBrowser(app.app)
      const response = await second.signIn(provider)
      expect(response.headers.get("location")).toContain("error=AccessDenied")
      expect(await second.getSession()).toBeNull()
    })
  },
)
