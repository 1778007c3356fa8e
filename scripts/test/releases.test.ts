/** The order in which packages are published. */
import { expect, test } from "vitest"
import { orderByDependencies, readReleases } from "../release/releases.ts"

test("a package is published after those that an installation of it needs", () => {
  const releases = readReleases()
  const names = orderByDependencies(releases).map(({ name }) => name)

  expect(names).toHaveLength(releases.length)
  expect(names.indexOf("@latchkey/pages")).toBeLessThan(names.indexOf("@latchkey/core"))
  for (const [index, { name, needs }] of orderByDependencies(releases).entries())
    expect(
      needs.filter((need) => names.indexOf(need) >= index),
      name,
    ).toEqual([])
})

test("packages that need each other have no order", () => {
  const version = "1.0.0"
  const first = { name: "first", version, needs: ["second"] }
  const second = { name: "second", version, needs: ["first"] }
  expect(() => orderByDependencies([first, second])).toThrow("first, second need each other")
})
