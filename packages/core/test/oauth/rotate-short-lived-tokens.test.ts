import { rotateAccessToken, type TokenRotationOptions } from "@latchkey/core/jwt"
import { withFrozenTime } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { useFakeTimers } from "../support/fake-timers.ts"
import { createRefreshSetup, loadSeparateLibrary } from "../support/refresh-processes.ts"

/** Lifetime of access tokens in seconds: shorter than results of refreshes are stored. */
const tokenLifetime = 60

async function createTwoProcesses(refreshTokens: "kept" | "rotated") {
  const app = await createRefreshSetup(refreshTokens)
  app.provider.injectFaults({ expiresIn: tokenLifetime })
  return {
    app,
    one: await loadSeparateLibrary(app),
    two: await loadSeparateLibrary(app),
    begin: Date.now(),
  }
}

describe("an access token that expires before the stored result of its refresh", () => {
  test("is refreshed again, if the refresh token stays the same", async () => {
    const { app, one, two, begin } = await createTwoProcesses("kept")
    const first = await one.rotate(app.token)
    expect(first["refresh_token"]).toBe(app.token["refresh_token"])
    const later = begin + (tokenLifetime + 5) * 1000
    const second = await withFrozenTime(later, () => two.rotate(first))
    expect(second["access_token"]).not.toBe(first["access_token"])
    expect(Number(second["expires_at"]) * 1000).toBeGreaterThan(later)
    expect(app.provider.tokenRequests).toHaveLength(2)
  })

  test("is replaced by the current token for a late request", async () => {
    const { app, one, two, begin } = await createTwoProcesses("rotated")
    const first = await one.rotate(app.token)
    const later = begin + (tokenLifetime + 5) * 1000
    await withFrozenTime(later, async () => {
      const second = await one.rotate(first)
      expect(await two.rotate(app.token)).toEqual(second)
    })
    expect([...one.reported, ...two.reported]).toEqual([])
    expect(app.provider.tokenRequests).toHaveLength(2)
  })

  test("is refreshed for a late request, if nobody has refreshed it since", async () => {
    const { app, one, two, begin } = await createTwoProcesses("rotated")
    const first = await one.rotate(app.token)
    const later = begin + (tokenLifetime + 5) * 1000
    const second = await withFrozenTime(later, () => two.rotate(app.token))
    expect(second["refresh_token"]).not.toBe(first["refresh_token"])
    expect(Number(second["expires_at"]) * 1000).toBeGreaterThan(later)
    expect(app.provider.tokenRequests).toHaveLength(2)
  })

  test("is returned with its refresh token, even if the next refresh fails", async () => {
    const { app, one, two, begin } = await createTwoProcesses("rotated")
    const first = await one.rotate(app.token)
    app.provider.injectFaults({ token: "status-500" })
    const later = begin + (tokenLifetime + 5) * 1000
    const second = await withFrozenTime(later, () => two.rotate(app.token))
    expect(second).toEqual({ ...first, error: "RefreshTokenError" })
  })

  test("is replaced by the current token for a late request, however many came between", async () => {
    const { app, one, two, begin } = await createTwoProcesses("rotated")
    app.provider.injectFaults({ expiresIn: 30 })
    let { token } = app
    for (const generation of [0, 1, 2, 3, 4, 5, 6, 7, 8])
      token = await withFrozenTime(begin + generation * 30_000, () => one.rotate(token))
    const late = begin + 8 * 30_000
    expect(await withFrozenTime(late, () => two.rotate(app.token))).toEqual(token)
    expect(token).not.toHaveProperty("error")
    expect([...one.reported, ...two.reported]).toEqual([])
  })

  test("is marked if it expires before the request receives it, and is requested once", async () => {
    const { app, one } = await createTwoProcesses("rotated")
    const { advanceUntil } = useFakeTimers()
    const completeLease: typeof one.leases.completeLease = async (lease) => {
      const isCompleted = await one.leases.completeLease(lease)
      vi.setSystemTime(Date.now() + (tokenLifetime + 5) * 1000)
      return isCompleted
    }
    const rotating = one.rotate(app.token, { leases: { ...one.leases, completeLease } })
    const expired = await advanceUntil(rotating, 30_000)
    expect(expired).toMatchObject({ error: "RefreshTokenError" })
    expect(expired["refresh_token"]).not.toBe(app.token["refresh_token"])
    expect(String(one.reported)).toContain("has expired")
    expect(app.provider.tokenRequests).toHaveLength(1)
    expect(await advanceUntil(one.rotate(expired), 30_000)).not.toHaveProperty("error")
  })
})

test("of more than a thousand sessions, none is refreshed twice at once", async () => {
  const received: string[] = []
  const [isOpen, open] = createGate()
  const options: TokenRotationOptions = {
    issuer: "https://idp.example",
    clientId: "app",
    clientSecret: "secret",
    fetch: async (_, init) => {
      received.push(new URLSearchParams(String(init?.body)).get("refresh_token") ?? "")
      await isOpen
      return Response.json({ access_token: "new", expires_in: 3600 })
    },
  }
  const rotate = (index: number) =>
    rotateAccessToken({ token: { expires_at: 1, refresh_token: `of ${index}` } }, options)
  const count = 1001
  const first = Array.from({ length: count }, (_, index) => rotate(index))
  await expect.poll(() => received.length).toBe(count)
  const second = Array.from({ length: count }, (_, index) => rotate(index))
  await new Promise((resolve) => setTimeout(resolve, 50))
  open()
  for (const token of await Promise.all([...first, ...second])) {
    expect(token["access_token"]).toBe("new")
  }
  expect(new Set(received).size).toBe(count)
  expect(received).toHaveLength(count)
})

function createGate(): readonly [isOpen: Promise<void>, open: () => void] {
  let open = (): void => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return [isOpen, open]
}
