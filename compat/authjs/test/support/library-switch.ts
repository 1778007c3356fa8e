/** One address, one configuration, and a server that changes from one library to the other. */
import { customFetch, Auth as ReferenceAuth, type AuthConfig as ReferenceConfig } from "@auth/core"
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

export type LibraryName = "reference" | "latchkey"

/** Both ways to change. */
export const switchDirections: readonly { from: LibraryName; to: LibraryName }[] = [
  { from: "reference", to: "latchkey" },
  { from: "latchkey", to: "reference" },
]

/** What both libraries take. */
export interface SharedConfig
  extends Omit<ReferenceConfig, "raw" | "skipCSRFCheck" | "logger" | "providers"> {
  providers: (OAuthProvider | NodemailerConfig)[]
}

export interface LibrarySwitch {
  readonly provider: ScriptedProvider
  /** The configuration; one object for both. */
  readonly config: SharedConfig
  /** Deploys the other library. */
  switchTo(library: LibraryName): void
  readonly app: FetchHandler
  openBrowser(origin?: string): TestBrowser
  /** What the library that runs now logged as errors. */
  readonly errors: unknown[]
}

/** @param changes laid over the configuration */
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
  let currentLibrary: LibraryName = "reference"
  const app: FetchHandler = async (request) =>
    currentLibrary === "reference"
      ? ReferenceAuth(request, { ...config, logger })
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

/** The configuration is typed by one library. Its callbacks name types of that one, as imports of one of them do. */
function toLatchkeyConfig(config: object): AppConfig {
  return config as AppConfig
}
