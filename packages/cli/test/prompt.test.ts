/** Questions on a terminal, which streams stand for. */
import { PassThrough } from "node:stream"
import { describe, expect, test } from "vitest"
import { createPrompt } from "../src/prompt.ts"

const choices = ["Express", "SvelteKit", "Qwik"]
const keys = { down: "\x1b[B", enter: "\r", ctrlC: "\x03" }

/** Creates a terminal at which somebody presses keys when the question is there. */
function createTerminal(pressed: readonly string[]) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: "utf8" })
  const remaining = [...pressed]
  let text = ""
  output.on("data", (part: string) => {
    text += part
    const key = remaining.shift()
    if (key !== undefined) setImmediate(() => input.write(key))
  })
  return { ...createPrompt(input, output), readOutput: () => text }
}

describe("a menu", () => {
  test.each([
    ["the first choice", [keys.enter], 0],
    ["a choice further down", [keys.down, keys.down, keys.enter], 2],
    ["none, after Ctrl+C", [keys.ctrlC], undefined],
  ])("returns %s", async (_, pressed, index) => {
    const terminal = createTerminal(pressed)
    expect(await terminal.choose("Which framework?", choices)).toBe(index)
    for (const text of ["Which framework?", ...choices])
      expect(terminal.readOutput()).toContain(text)
  })
})

test.each([
  [["a", "b", keys.enter], "ab"],
  [[keys.enter], "my-app"],
  [[keys.ctrlC], undefined],
])("the keys %j answer a question for a text with %s", async (pressed, text) => {
  expect(await createTerminal(pressed).ask("Folder?", "my-app")).toBe(text)
})

test.each([
  [["y"], false, true],
  [["n"], true, false],
  [[keys.enter], false, false],
  [[keys.enter], true, true],
  [[keys.ctrlC], true, false],
])("the keys %j mean %s where the answer at first is %s", async (pressed, isYes, result) => {
  expect(await createTerminal(pressed).confirm("Write this?", isYes)).toBe(result)
})
