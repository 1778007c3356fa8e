/** Responses share headers to be created faster. Nothing of one visitor may reach another. */
import { createTestBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { createPasswordApp, password } from "../support/password-app.ts"

/** A `Response` that keeps its headers instead of a copy, such as that of some servers for Node.js. */
class KeepingResponse extends Response {
  readonly #headers: Headers

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init)
    const { headers } = init
    this.#headers = headers instanceof Headers ? headers : super.headers
  }

  override get headers(): Headers {
    return this.#headers
  }
}

test("cookies stay with their response where `Response` keeps its headers", async () => {
  const app = createPasswordApp()
  await createTestBrowser(app.handle).getSession()
  vi.stubGlobal("Response", KeepingResponse)
  try {
    const alice = createTestBrowser(app.handle)
    await alice.signIn("credentials", { name: "alice", password })
    expect(await alice.getSession()).not.toBeNull()
    for (const path of ["/auth/session", "/auth/csrf", "/auth/signin", "/auth/signin/unknown"]) {
      const visitor = createTestBrowser(app.handle)
      await visitor.open(path)
      expect([...visitor.cookies].map(({ name }) => name).join()).not.toContain("session-token")
    }
    await createTestBrowser(app.handle).signIn("credentials", { name: "alice", password: "wrong" })
    const refused = createTestBrowser(app.handle)
    await refused.signIn("credentials", { name: "alice", password: "wrong" })
    expect(await refused.getSession()).toBeNull()
  } finally {
    vi.unstubAllGlobals()
  }
})
