import {
  RedisAdapter,
  type RedisAdapterOptions,
  type RedisClient,
  RedisSessions,
} from "@latchkey/redis"
import { describe, expect, test } from "vitest"

const client: RedisClient = { evalSha: async () => null, eval: async () => null }
const users = { getUser: () => null }

describe("options", () => {
  test.each([
    ["prefix", { prefix: "" }],
    ["prefix", { prefix: "{mine}" }],
    ["prefix", { prefix: "a b" }],
    ["timeout", { timeout: 0 }],
    ["timeout", { timeout: Number.NaN }],
    ["timeout", { timeout: 2 ** 31 }],
    ["keepExpired", { keepExpired: -1 }],
    ["keepExpired", { keepExpired: "1h" }],
    ["userFields.email", { userFields: { email: "text" } }],
    ["userFields.__proto__", { userFields: JSON.parse('{"__proto__":"text"}') }],
    ["userFields.role", { userFields: { role: "string" } }],
    ["timeuot", { timeuot: 5 }],
  ])("%s cannot be %o", (option, options) => {
    const make = () => RedisAdapter(client, options as RedisAdapterOptions)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(`\`${option}\``)
  })

  test("of the other adapter are refused", () => {
    const options = { users, userFields: {} }
    expect(() => RedisSessions(client, options)).toThrow("`userFields`")
    const nobody = {} as { users: typeof users }
    expect(() => RedisSessions(client, nobody)).toThrow("`users`")
  })

  test.each([null, undefined, {}, "redis://localhost", { get: () => null }])(
    "%o is no client",
    (invalidClient) => {
      expect(() => RedisAdapter(invalidClient as RedisClient)).toThrow(
        "`redis` (version 5 or newer)",
      )
    },
  )
})

test("RedisSessions has no `deleteUser` if the other adapter has none", () => {
  const sessions = RedisSessions(client, { users: { getUser: () => null } })
  expect(sessions).not.toHaveProperty("deleteUser")
  // An own property that is undefined would replace the method of the other adapter.
  expect(Object.values(sessions)).not.toContain(undefined)
})
