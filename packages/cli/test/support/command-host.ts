/** A process that runs one command after another. It starts Node.js and loads the packages once. */
import { main } from "../../src/main.ts"
import type { CommandRequest, CommandResult } from "./run-latchkey.ts"

process.on("message", async ({ args, folder, env }: CommandRequest) => {
  process.chdir(folder)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const [out, err] = [captureOutput(process.stdout), captureOutput(process.stderr)]
  const status = await main(args, {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
  })
  const result: CommandResult = { status, out: out(), err: err() }
  process.send?.(result)
})
process.on("disconnect", () => process.exit())

/** Captures the output of a stream. Returns a function that stops this and returns the text. */
function captureOutput(stream: NodeJS.WriteStream): () => string {
  const { write } = stream
  let output = ""
  stream.write = (text: string | Uint8Array) => {
    output += text
    return true
  }
  return () => {
    stream.write = write
    return output
  }
}
