/** The process of a subject, which runs commands. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import type { SubjectId } from "../libraries/library-names.ts"
import type { CommandMessage, CommandName, Commands, ReplyMessage, Transport } from "./commands.ts"

/** A running subject. */
export class SubjectProcess implements AsyncDisposable {
  readonly id: SubjectId
  readonly #process: ChildProcess
  /** The output of the process, which is printed only after a failure. */
  #complaints = ""

  private constructor(id: SubjectId, process: ChildProcess) {
    this.id = id
    this.#process = process
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000)
    })
  }

  /**
   * Starts a subject.
   *
   * @param sampleCount the number of distinct cookies
   */
  static async start(
    id: SubjectId,
    transport: Transport,
    sampleCount: number,
  ): Promise<SubjectProcess> {
    const child = fork(
      new URL("subject.ts", import.meta.url),
      [id, transport, String(sampleCount)],
      {
        env: createEnvironment(),
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      },
    )
    const subject = new SubjectProcess(id, child)
    await subject.#next()
    return subject
  }

  async sendCommand<Name extends CommandName>(
    name: Name,
    parameters: Commands[Name]["question"],
  ): Promise<Commands[Name]["answer"]> {
    this.#process.send({ ...parameters, name } as CommandMessage)
    return this.#next()
  }

  async #next(): Promise<never> {
    const listeners = new AbortController()
    const { signal } = listeners
    const ended = once(this.#process, "exit", { signal }).then(([code]) => {
      throw new TypeError(`The process of ${this.id} ended (${code}): ${this.#complaints}`)
    })
    const messageReceived = once(this.#process, "message", { signal })
    try {
      const [answer] = (await Promise.race([messageReceived, ended])) as [ReplyMessage]
      if (answer.kind === "failed") throw new TypeError(`${this.id}: ${answer.reason}`)
      // The other process returns the result that `Commands` declares.
      return (answer.kind === "answer" ? answer.answer : undefined) as never
    } finally {
      const rest = Promise.allSettled([messageReceived, ended])
      listeners.abort()
      await rest
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, "exit")
    this.#process.disconnect()
    await ended
  }
}

/** Removes variables of applications from the environment. */
function createEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/^(AUTH_|BETTER_AUTH_)/.test(name))
  const variables = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  return { ...variables, NODE_ENV: "production" }
}
