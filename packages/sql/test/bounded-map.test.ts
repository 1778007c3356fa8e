import { expect, test } from "vitest"
import { BoundedMap } from "../src/bounded-map.ts"

test("a bounded map removes the oldest entry when it exceeds its limit", () => {
  const map = new BoundedMap<string, number>(2)
  map.set("a", 1)
  map.set("b", 2)
  map.set("a", 3)
  expect([map.get("a"), map.get("b")]).toEqual([3, 2])
  map.set("c", 4)
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 2, 4])
  map.clear()
  expect(map.get("c")).toBeUndefined()
})
