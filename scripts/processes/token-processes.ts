/** Four processes that return access tokens, with one database and one provider. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import type { TokenResults, TokenTask } from "./token-process.ts"

export interface TokenProcess {
  readonly name: string
  /** Gets the tokens of the users. Returns nothing if the process is killed meanwhile. */
  run(task: TokenTask): Promise<readonly TokenResults[]>
  /** Kills the process, and starts another one in its place. */
  replace(): Promise<void>
}

/** Starts the processes. */
export async function startTokenProcesses(
  count: number,
  databaseUrl: string,
  tokenEndpoint: string,
  env: NodeJS.ProcessEnv = {},
): Promise<AsyncDisposable & { readonly processes: readonly TokenProcess[] }> {
  const start = async (name: string): Promise<ChildProcess> => {
    const script = new URL("./token-process.ts", import.meta.url)
    const child = fork(script, [databaseUrl, tokenEndpoint, name], {
      execArgv: ["--conditions=@latchkey/source"],
      env: { ...process.env, ...env },
    })
    child.setMaxListeners(0) // each task waits for the end of the process, too
    await once(child, "message")
    return child
  }
  const children = new Map<string, ChildProcess>()
  let starts = 0
  const startNext = async (): Promise<string> => {
    const name = `process ${++starts}`
    children.set(name, await start(name))
    return name
  }
  const createProcess = async (): Promise<TokenProcess> => {
    let name = await startNext()
    return {
      get name() {
        return name
      },
      async run(task) {
        const child = children.get(name)
        if (!child) return []
        child.send(task)
        const ended = once(child, "exit").then((): [unknown] => [[]])
        const [results] = await Promise.race([once(child, "message"), ended])
        return results as TokenResults[] // the process sends nothing else
      },
      async replace() {
        await kill(children.get(name))
        children.delete(name)
        name = await startNext()
      },
    }
  }
  const processes = await Promise.all(Array.from({ length: count }, createProcess))
  return {
    processes,
    async [Symbol.asyncDispose]() {
      await Promise.all([...children.values()].map(kill))
    },
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const end = once(child, "exit")
  child.kill("SIGKILL")
  await end
}
