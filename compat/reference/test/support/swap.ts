/** One address, one configuration, and a server that changes from one library to the other. */
import { customFetch, Auth as ReferenceAuth, type AuthConfig as ReferenceConfig } from "@auth/core"
import type { NodemailerConfig } from "@auth/core/providers/nodemailer"
import { Auth as LatchkeyAuth } from "@latchkey/core"
import {
  type App,
  type Browser,
  browser,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import type { OAuthProvider } from "./dialects.ts"
import { type Config, common } from "./house.ts"
import type { Opened } from "./kind.ts"

export type Library = "reference" | "latchkey"

/** Both ways to change. */
export const directions: readonly { from: Library; to: Library }[] = [
  { from: "reference", to: "latchkey" },
  { from: "latchkey", to: "reference" },
]

/** What both libraries take. */
export interface SharedConfig
  extends Omit<ReferenceConfig, "raw" | "skipCSRFCheck" | "logger" | "providers"> {
  providers: (OAuthProvider | NodemailerConfig)[]
}

export interface Swap {
  readonly provider: ScriptedProvider
  /** The configuration; one object for both. */
  readonly config: SharedConfig
  /** Deploys the other library. */
  run(library: Library): void
  readonly app: App
  visitor(origin?: string): Browser
  /** What the library that runs now logged as errors. */
  readonly errors: unknown[]
}

/** @param changes laid over the configuration */
export async function swap(
  changes: Partial<SharedConfig> = {},
  opened?: Pick<Opened, "adapter">,
): Promise<Swap> {
  const provider = await scriptedProvider()
  const errors: unknown[] = []
  const config: SharedConfig = {
    ...common,
    providers: [{ ...provider.asOidc(), [customFetch]: provider.fetch }],
    ...(opened && { adapter: opened.adapter }),
    ...changes,
  }
  const logger = { error: (...line: unknown[]) => void errors.push(line) }
  let running: Library = "reference"
  const app: App = async (request) =>
    running === "reference"
      ? ReferenceAuth(request, { ...config, logger })
      : LatchkeyAuth(request, ours({ ...config, logger }))
  return {
    provider,
    config,
    errors,
    app,
    run: (library) => {
      running = library
    },
    visitor: (origin = "https://app.example") => browser(app, { origin }),
  }
}

/** The configuration is typed by one library. Its callbacks name types of that one, as imports of one of them do. */
function ours(config: object): Config {
  return config as Config
}
