import { expect } from "vitest"
import { waitForServer } from "../application-server.ts"
import type { RunningProgram } from "../command.ts"

/** Waits until a server prints its address, and responds. Returns its origin at `localhost`. */
export async function waitForOrigin(server: RunningProgram): Promise<string> {
  const printed = () => /https?:\/\/[\w.[\]:]+:(\d+)/.exec(server.output())
  await expect
    .poll(printed, { timeout: 60_000, message: "a server prints its address" })
    .not.toBeNull()
    .catch((error: unknown) => {
      throw new Error(`The server printed no address:\n${server.output()}`, { cause: error })
    })
  const port = Number(printed()?.[1])
  await waitForServer(server, port)
  return `http://localhost:${port}`
}
