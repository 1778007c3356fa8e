/** Questions on a terminal. */
import { createInterface } from "node:readline/promises"
import type { Terminal } from "./terminal.ts"

/** How often a menu is shown before an answer counts as none. */
const maxAttempts = 3

/** Asks questions on a terminal. If its input ends, the answer is no, or none of the choices. */
export function createPrompt(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Required<Pick<Terminal, "confirm" | "choose">> {
  async function ask(question: string): Promise<string | undefined> {
    const prompt = createInterface({ input, output })
    try {
      const end = new Promise<undefined>((resolve) =>
        prompt.once("close", () => resolve(undefined)),
      )
      return (await Promise.race([prompt.question(question), end]))?.trim()
    } catch (error) {
      // Ctrl+C and Ctrl+D
      if (error instanceof Error && error.name === "AbortError") return undefined
      throw error
    } finally {
      prompt.close()
    }
  }
  return {
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? ""),
    async choose(question, choices) {
      const list = choices.map((choice, index) => `  ${index + 1}  ${choice}\n`).join("")
      output.write(`${question}\n\n${list}\n`)
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const answer = await ask("Number: ")
        if (answer === undefined) break
        const index = findChoice(answer, choices)
        if (index !== undefined) return index
        output.write(`Expected a number from 1 to ${choices.length}.\n`)
      }
      return undefined
    },
  }
}

/** Returns the index of a choice by its number or its name. */
function findChoice(answer: string, choices: readonly string[]): number | undefined {
  const hasName = (choice: string) => choice.toLowerCase() === answer.toLowerCase()
  const index = /^\d+$/.test(answer) ? Number(answer) - 1 : choices.findIndex(hasName)
  return index in choices ? index : undefined
}
