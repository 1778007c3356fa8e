/** An application with provider tokens in its sessions, as several processes: they share a database, and nothing else. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rotateAccessToken, type TokenRotationOptions } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { onTestFinished, vi } from "vitest"
import { createOAuthApp } from "./oauth-app.ts"
import { readToken } from "./rotating-app.ts"

export type RefreshSetup = Awaited<ReturnType<typeof createRefreshSetup>>

/** A session whose access token has expired, at a provider that may take each refresh token once, and a database. */
export async function createRefreshSetup(refreshTokens: "kept" | "rotated" = "rotated") {
  const provider = await createScriptedProvider({ refreshTokens })
  await provider.listen()
  onTestFinished(() => provider.close())
  const { issuer, clientId, clientSecret } = provider
  const rotation: TokenRotationOptions = { issuer, clientId, clientSecret }
  const app = await createOAuthApp(provider.asOidc(), {
    session: { strategy: "jwt" },
    callbacks: {
      jwt: (params) => rotateAccessToken(params, rotation),
      session: ({ session, token }) => ({ ...session, token }),
    },
  })
  const alice = createTestBrowser(app.app)
  await alice.signIn(provider)
  const token: JWT = expireAccessToken(await readToken(alice))
  provider.clearRequests()
  return { provider, rotation, token, file: await createDatabaseFile() }
}

/** The token when its access token has expired. */
export function expireAccessToken(token: JWT): JWT {
  return { ...token, expires_at: 1 }
}

/** A process simulated within this one: another copy of the library, with its own connection. */
export async function loadSeparateLibrary({ file, rotation, provider }: RefreshSetup) {
  vi.resetModules()
  const library = await import("@latchkey/core/jwt")
  const database = openSqlite(file)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  const reportedErrors: unknown[] = []
  const leases = SqlAdapter(database)
  const onError = (error: unknown): void => void reportedErrors.push(error)
  return {
    database,
    leases,
    /** The errors that `onError` received. */
    reported: reportedErrors,
    rotateAccessToken: library.rotateAccessToken,
    rotate: (token: JWT, changes: Partial<TokenRotationOptions> = {}) =>
      library.rotateAccessToken(
        { token },
        { ...rotation, fetch: provider.fetch, leases, onError, ...changes },
      ),
  }
}

/** A separate process, which rotates a token in 25 concurrent calls. */
export async function forkRotationProcess({ file, rotation }: RefreshSetup) {
  const script = new URL("./rotation-process.ts", import.meta.url)
  const child: ChildProcess = fork(script, [file, JSON.stringify(rotation)], {
    execArgv: ["--conditions=@latchkey/source"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return {
    async rotate(token: JWT): Promise<JWT[]> {
      const response = once(child, "message")
      child.send(token)
      const [outcomes]: unknown[] = await response
      // `rotator.ts` sends nothing else.
      return outcomes as JWT[]
    },
    begin: (token: JWT): void => void child.send(token),
    async kill(): Promise<void> {
      const end = once(child, "exit")
      child.kill("SIGKILL")
      await end
    },
  }
}

async function createDatabaseFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-leases-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "app.db")
  const database = openSqlite(file)
  await migrate(database)
  database.close()
  return file
}
