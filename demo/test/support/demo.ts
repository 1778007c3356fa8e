/** Runs the demo in its own process and folder, on free ports. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const serverFile = join(import.meta.dirname, "..", "..", "server.ts")

interface ProcessResult {
  readonly code: number | null
  /** The complete output, including errors. */
  readonly output: string
}

export interface RunningDemo {
  readonly origin: string
  readonly port: number
  /** Returns the output so far. */
  output(): string
  /** Waits until the output contains a text. */
  waitForOutput(text: string): Promise<void>
  /** Stops the demo, by default like Ctrl-C. */
  stop(signal?: NodeJS.Signals): Promise<ProcessResult>
}

interface DemoProcess {
  readonly process: ChildProcess
  readonly ended: Promise<ProcessResult>
}

/** Runs the demo's command line. */
export function runDemo(...args: readonly string[]): DemoProcess {
  return runNode("--conditions=@latchkey/source", serverFile, ...args)
}

function runNode(...args: readonly string[]): DemoProcess {
  const process_ = spawn(process.execPath, args, {
    env: { ...process.env, NO_COLOR: "1", AUTH_SECRET: "of another application", AUTH_URL: "x" },
  })
  let output = ""
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
      process_.emit("output", output)
    })
  }
  const ended = once(process_, "close").then(([code]) => ({ code: code as number | null, output }))
  return { process: process_, ended }
}

/** Starts the demo and waits until it is ready. Its clock is as many minutes ahead as told. */
export async function startDemo(
  data: string,
  port?: number,
  minutesAhead = 0,
): Promise<RunningDemo> {
  const chosenPort = port ?? (await findFreePorts())
  const { process: child, ended } = runNode(
    `--import=${createClock(minutesAhead)}`,
    "--conditions=@latchkey/source",
    serverFile,
    ...["--port", String(chosenPort), "--data", data],
  )
  let output = ""
  child.on("output", (text: string) => {
    output = text
  })
  const waitForOutput = async (text: string): Promise<void> => {
    const signal = AbortSignal.timeout(30_000)
    while (!output.includes(text)) {
      const end = ended.then(() => Promise.reject(new Error(`The demo ended:\n${output}`)))
      await Promise.race([once(child, "output", { signal }), end])
    }
  }
  await waitForOutput("Ctrl-C")
  return {
    origin: `http://localhost:${chosenPort}`,
    port: chosenPort,
    output: () => output,
    waitForOutput,
    async stop(signal = "SIGINT") {
      child.kill(signal)
      return ended
    },
  }
}

/** Returns a module that sets the clock of a process ahead, before anything else runs there. */
function createClock(minutesAhead: number): string {
  const source = `const { now } = Date
    Date.now = () => now() + ${minutesAhead * 60_000}
    globalThis.Date = class extends Date {
      constructor(...parts) { parts.length > 0 ? super(...parts) : super(Date.now()) }
    }`
  return `data:text/javascript,${encodeURIComponent(source)}`
}

/** Creates a folder that is removed at the end: `using folder = temporaryFolder()`. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "latchkey-demo-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Returns the first of four consecutive free ports. */
export async function findFreePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const four = [first, first + 1, first + 2, first + 3]
    const free = await Promise.all(four.map((port) => isFree(port)))
    if (free.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen(port, "127.0.0.1", resolve)
    })
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
