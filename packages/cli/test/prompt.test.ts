/** Questions on a terminal, which streams stand for. */
import { PassThrough } from "node:stream"
import { describe, expect, test } from "vitest"
import { createPrompt } from "../src/prompt.ts"

const choices = ["Express", "SvelteKit", "Qwik"]

/** Creates a terminal at which each question gets the next answer; after the last one, the input ends. */
function createTerminal(answers: readonly string[]) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: "utf8" })
  const remaining = [...answers]
  let text = ""
  output.on("data", (part: string) => {
    text += part
    if (!/(Number: |\[y\/N\] )$/.test(text)) return
    const answer = remaining.shift()
    if (answer === undefined) input.end()
    else input.write(`${answer}\n`)
  })
  return { ...createPrompt(input, output), readOutput: () => text }
}

describe("a menu", () => {
  test.each([
    ["a number", ["2"], 1],
    ["a name", ["qwik"], 2],
    ["another answer, and then a number", ["0", "4", "1"], 0],
    ["no answer, because the input ended", [], undefined],
    ["wrong answers, until it gives up", ["x", "", "-1", "1"], undefined],
  ])("accepts %s", async (_, answers, index) => {
    const terminal = createTerminal(answers)
    expect(await terminal.choose("Which framework?", choices)).toBe(index)
  })

  test("says what it expects after a wrong answer, without repeating the list", async () => {
    const terminal = createTerminal(["9", "1"])
    await terminal.choose("Which framework?", choices)
    expect(terminal.readOutput()).toBe(
      "Which framework?\n\n  1  Express\n  2  SvelteKit\n  3  Qwik\n\n" +
        "Number: Expected a number from 1 to 3.\nNumber: ",
    )
  })
})

test.each([
  [["y"], true],
  [["Yes"], true],
  [["n"], false],
  [[""], false],
  [[], false],
])("the answer %j to a question means %s", async (answers, result) => {
  expect(await createTerminal(answers).confirm("Write this?")).toBe(result)
})
