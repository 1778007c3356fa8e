/** One origin, one configuration, and a server that switches between the libraries. */
import { Auth as AuthJs, type AuthConfig as AuthJsConfig, customFetch } from "@auth/core"
import type { NodemailerConfig } from "@auth/core/providers/nodemailer"
import { Auth as LatchkeyAuth } from "@latchkey/core"
import {
  createScriptedProvider,
  createTestBrowser,
  type FetchHandler,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import type { OpenDatabase } from "./adapter-setup.ts"
import type { OAuthProvider } from "./provider-fixtures.ts"
import { type AppConfig, baseConfig } from "./test-application.ts"

export type LibraryName = "authjs" | "latchkey"

/** Both directions. */
export const switchDirections: readonly { from: LibraryName; to: LibraryName }[] = [
  { from: "authjs", to: "latchkey" },
  { from: "latchkey", to: "authjs" },
]

/** The configuration that both libraries accept. */
export interface SharedConfig
  extends Omit<AuthJsConfig, "raw" | "skipCSRFCheck" | "logger" | "providers"> {
  providers: (OAuthProvider | NodemailerConfig)[]
}

export interface LibrarySwitch {
  readonly provider: ScriptedProvider
  /** The configuration, the same object for both. */
  readonly config: SharedConfig
  /** Deploys the other library. */
  switchTo(library: LibraryName): void
  readonly app: FetchHandler
  openBrowser(origin?: string): TestBrowser
  /** The errors that the current library logged. */
  readonly errors: unknown[]
}

/** @param changes overrides of the configuration */
export async function createLibrarySwitch(
  changes: Partial<SharedConfig> = {},
  database?: Pick<OpenDatabase, "adapter">,
): Promise<LibrarySwitch> {
  const provider = await createScriptedProvider()
  const errors: unknown[] = []
  const config: SharedConfig = {
    ...baseConfig,
    providers: [{ ...provider.asOidc(), [customFetch]: provider.fetch }],
    ...(database && { adapter: database.adapter }),
    ...changes,
  }
  const logger = { error: (...line: unknown[]) => void errors.push(line) }
  let currentLibrary: LibraryName = "authjs"
  const app: FetchHandler = async (request) =>
    currentLibrary === "authjs"
      ? AuthJs(request, { ...config, logger })
      : LatchkeyAuth(request, toLatchkeyConfig({ ...config, logger }))
  return {
    provider,
    config,
    errors,
    app,
    switchTo: (library) => {
      currentLibrary = library
    },
    openBrowser: (origin = "https://app.example") => createTestBrowser(app, { origin }),
  }
}

/** The configuration has the types of one library, which its callbacks name. */
function toLatchkeyConfig(config: object): AppConfig {
  return config as AppConfig
}
