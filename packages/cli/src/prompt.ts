/** Questions on a terminal. */
import type { Readable, Writable } from "node:stream"
import { confirm, isCancel, select, text } from "@clack/prompts"
import type { Terminal } from "./terminal.ts"

/** Asks questions on a terminal. After Ctrl+C or Escape, the answer is no, or none. */
export function createPrompt(
  input: Readable,
  output: Writable,
): Required<Pick<Terminal, "confirm" | "ask" | "choose">> {
  const streams = { input, output }
  return {
    async confirm(message, initialValue = false) {
      return (await confirm({ message, initialValue, ...streams })) === true
    },
    async ask(message, suggestion) {
      const options = { placeholder: suggestion, defaultValue: suggestion }
      const answer = await text({ message, ...options, ...streams })
      return isCancel(answer) ? undefined : answer
    },
    async choose(message, choices) {
      const options = choices.map((label, value) => ({ label, value }))
      const choice = await select({ message, options, ...streams })
      return isCancel(choice) ? undefined : choice
    },
  }
}
