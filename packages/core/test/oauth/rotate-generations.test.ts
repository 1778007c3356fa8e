import { type RotateOptions, rotateAccessToken } from "@latchkey/core/jwt"
import { withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { newProcess, severalProcesses } from "../support/several-processes.ts"

/** How long access tokens last here, in seconds: less than the results of refreshes are kept. */
const short = 60

async function twoProcesses(refreshTokens: "kept" | "rotated") {
  const house = await severalProcesses(refreshTokens)
  house.provider.misbehave({ expiresIn: short })
  return { house, one: await newProcess(house), two: await newProcess(house), begin: Date.now() }
}

describe("89 an access token that lasts shorter than the result of its refresh is kept", () => {
  test("is renewed again, where the refresh token stays", async () => {
    const { house, one, two, begin } = await twoProcesses("kept")
    const first = await one.rotate(house.token)
    expect(first["refresh_token"]).toBe(house.token["refresh_token"])
    const later = begin + (short + 5) * 1000
    const second = await withClock(later, () => two.rotate(first))
    expect(second["access_token"]).not.toBe(first["access_token"])
    expect(Number(second["expires_at"]) * 1000).toBeGreaterThan(later)
    expect(house.provider.tokenRequests).toHaveLength(2)
  })

  test("leads a late request to the token that the session has by then", async () => {
    const { house, one, two, begin } = await twoProcesses("rotated")
    const first = await one.rotate(house.token)
    const later = begin + (short + 5) * 1000
    await withClock(later, async () => {
      const second = await one.rotate(first)
      expect(await two.rotate(house.token)).toEqual(second)
    })
    expect([...one.told, ...two.told]).toEqual([])
    expect(house.provider.tokenRequests).toHaveLength(2)
  })

  test("leads a late request to a refresh, where nobody has come since", async () => {
    const { house, one, two, begin } = await twoProcesses("rotated")
    const first = await one.rotate(house.token)
    const later = begin + (short + 5) * 1000
    const second = await withClock(later, () => two.rotate(house.token))
    expect(second["refresh_token"]).not.toBe(first["refresh_token"])
    expect(Number(second["expires_at"]) * 1000).toBeGreaterThan(later)
    expect(house.provider.tokenRequests).toHaveLength(2)
  })

  test("gives way to the refresh token that came with it, though that cannot be used now", async () => {
    const { house, one, two, begin } = await twoProcesses("rotated")
    const first = await one.rotate(house.token)
    house.provider.misbehave({ token: "status-500" })
    const later = begin + (short + 5) * 1000
    const second = await withClock(later, () => two.rotate(house.token))
    expect(second).toEqual({ ...first, error: "RefreshTokenError" })
  })
})

test("89 of more than a thousand sessions, none is renewed twice while that is under way", async () => {
  const asked: string[] = []
  const [isOpen, open] = gate()
  const options: RotateOptions = {
    issuer: "https://idp.example",
    clientId: "app",
    clientSecret: "secret",
    fetch: async (_, init) => {
      asked.push(new URLSearchParams(String(init?.body)).get("refresh_token") ?? "")
      await isOpen
      return Response.json({ access_token: "new", expires_in: 3600 })
    },
  }
  const rotate = (at: number) =>
    rotateAccessToken({ token: { expires_at: 1, refresh_token: `of ${at}` } }, options)
  const count = 1001
  const first = Array.from({ length: count }, (_, at) => rotate(at))
  await expect.poll(() => asked.length).toBe(count)
  const second = Array.from({ length: count }, (_, at) => rotate(at))
  await new Promise((resolve) => setTimeout(resolve, 50))
  open()
  for (const token of await Promise.all([...first, ...second])) {
    expect(token["access_token"]).toBe("new")
  }
  expect(new Set(asked).size).toBe(count)
  expect(asked).toHaveLength(count)
})

function gate(): readonly [isOpen: Promise<void>, open: () => void] {
  let open = (): void => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return [isOpen, open]
}
