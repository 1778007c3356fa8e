#!/usr/bin/env node
import { createInterface } from "node:readline/promises"
import { main } from "./main.ts"
import { createProgress } from "./progress.ts"

const progress = createProgress(process.stderr)
const status = await main(process.argv.slice(2), {
  out: (text) => writeLine(process.stdout, text),
  err: (text) => writeLine(process.stderr, text),
  progress: progress.update,
  ...(process.stdin.isTTY && process.stdout.isTTY && { confirm, choose }),
})
await Promise.all([flushStream(process.stdout), flushStream(process.stderr)])
// The loaded configuration may have opened servers, connection pools or timers, which would keep the process alive.
process.exit(status)

function writeLine(stream: NodeJS.WriteStream, text: string): void {
  progress.end()
  stream.write(`${text}\n`)
}

async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `))
}

async function choose(question: string, choices: readonly string[]): Promise<number | undefined> {
  const list = choices.map((choice, index) => `  ${index + 1}  ${choice}\n`).join("")
  const index = Number(await ask(`${question}\n\n${list}\nNumber: `)) - 1
  return index in choices ? index : undefined
}

async function ask(question: string): Promise<string> {
  const { stdin: input, stdout: output } = process
  const prompt = createInterface({ input, output })
  const answer = await prompt.question(question)
  prompt.close()
  return answer.trim()
}

/** Resolves when all earlier output has been written. */
function flushStream(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()))
}
