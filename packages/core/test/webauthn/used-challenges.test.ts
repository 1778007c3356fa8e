import { expect, test } from "vitest"
import { createUsedChallenges } from "../../src/flows/webauthn/used-challenges.ts"

const minute = 60_000

test("a challenge is used once, under whichever of its hashes", () => {
  const used = createUsedChallenges()
  expect(used.add(["new", "old"])).toBe(true)
  expect(used.add(["new", "old"])).toBe(false)
  // The secret was changed meanwhile: what was the first hash is the second one.
  expect(used.add(["newer", "new"])).toBe(false)
  expect(used.add(["another"])).toBe(true)
})

test("is remembered for as long as it lives, and no longer", () => {
  let now = 0
  const used = createUsedChallenges(() => now)
  used.add(["early"])
  now = 14 * minute
  expect(used.add(["early"])).toBe(false)
  now = 16 * minute
  expect(used.add(["early"])).toBe(true)
})

test("a flood has a bound: the oldest are forgotten first", () => {
  const used = createUsedChallenges(() => 0)
  for (let count = 0; count < 10_001; count += 1) used.add([String(count)])
  expect(used.add(["10000"])).toBe(false)
  expect(used.add(["0"])).toBe(true)
})
