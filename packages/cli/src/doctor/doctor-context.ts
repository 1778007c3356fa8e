/** The configuration to check, as a framework package passes it to the core, and its environment. */
import type { AuthConfig } from "@latchkey/core"
import type { MountContext } from "./mount-checks.ts"

export interface DoctorContext {
  /** A copy with the defaults of the environment, and a silent logger. */
  readonly config: AuthConfig
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The URL that users open. */
  readonly url: URL
  /** Whether the URL is only an assumption. */
  readonly isUrlGuessed: boolean
  readonly production: boolean
  readonly online: boolean
  /** The sources of the application, and where they mount the actions. */
  readonly application: MountContext
}

/** A provider merged with its options. */
export interface ProviderInfo {
  readonly id: string
  readonly type: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Returns the providers that can be read. The others are problems of the configuration. */
export function listProviders({ config }: Pick<DoctorContext, "config">): ProviderInfo[] {
  const list: unknown = config.providers
  return (Array.isArray(list) ? list : []).flatMap((provider: unknown) => {
    if (typeof provider !== "object" || provider === null) return []
    const options = {
      ...provider,
      ...pickDefinedFields("options" in provider ? provider.options : {}),
    }
    const { id, type } = options as { id?: unknown; type?: unknown }
    return typeof id === "string" ? [{ id, type: String(type), options }] : []
  })
}

/** Returns the fields of an object without those that are undefined. */
function pickDefinedFields(value: unknown): Record<string, unknown> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined))
}

/** Whether the host is this machine. */
export function isLocalhost({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
