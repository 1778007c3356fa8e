/** `pg` ends the process when an idle connection breaks, unless the application listens to its pool. */
import { expect, test } from "vitest"
import { readCodeBlocks } from "../code-blocks/blocks.ts"

test("every page that creates a pool of PostgreSQL listens to its errors", () => {
  const creating = readCodeBlocks().filter(({ code }) => /new (?:pg\.)?Pool\(/.test(code))
  const deaf = creating.filter(({ code }) => !code.includes('.on("error"'))
  expect(creating.length).toBeGreaterThan(5)
  expect(deaf.map(({ file, line }) => `${file}:${line}`)).toEqual([])
})
