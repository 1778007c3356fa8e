/** A subject as the benchmark sees it: a process that answers questions. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import type { LibraryId } from "../libraries/libraries.ts"
import type { Answer, CommandName, Commands, Place, Question } from "./commands.ts"

/** A running subject. */
export class Child implements AsyncDisposable {
  readonly id: LibraryId
  readonly #process: ChildProcess
  /** What the process wrote: warnings nobody needs, unless it fails. */
  #complaints = ""

  private constructor(id: LibraryId, process: ChildProcess) {
    this.id = id
    this.#process = process
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000)
    })
  }

  /**
   * Starts a subject.
   *
   * @param many how many distinct cookies it makes
   */
  static async start(id: LibraryId, place: Place, many: number): Promise<Child> {
    const child = fork(new URL("subject.ts", import.meta.url), [id, place, String(many)], {
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    })
    const started = new Child(id, child)
    await started.#next()
    return started
  }

  async ask<Name extends CommandName>(
    name: Name,
    question: Commands[Name]["question"],
  ): Promise<Commands[Name]["answer"]> {
    this.#process.send({ ...question, name } as Question)
    return this.#next()
  }

  async #next(): Promise<never> {
    const waiting = new AbortController()
    const { signal } = waiting
    const ended = once(this.#process, "exit", { signal }).then(([code]) => {
      throw new TypeError(`The process of ${this.id} ended (${code}): ${this.#complaints}`)
    })
    const answered = once(this.#process, "message", { signal })
    try {
      const [answer] = (await Promise.race([answered, ended])) as [Answer]
      if (answer.kind === "failed") throw new TypeError(`${this.id}: ${answer.reason}`)
      // The other end answers each command with what `Commands` says.
      return (answer.kind === "answer" ? answer.answer : undefined) as never
    } finally {
      const rest = Promise.allSettled([answered, ended])
      waiting.abort()
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

/** Nothing of what the shell holds for an application gets into a configuration. */
function environment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/^(AUTH_|BETTER_AUTH_)/.test(name))
  const own = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  return { ...own, NODE_ENV: "production" }
}
