/** What is examined: a configuration as an adapter hands it to the core, and its surroundings. */
import type { AuthConfig } from "@latchkey/core"

export interface DoctorContext {
  /** With the environment's defaults; a copy, and silent. */
  readonly config: AuthConfig
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The address that people open. */
  readonly url: URL
  /** Nobody said what the address is. */
  readonly isUrlGuessed: boolean
  readonly production: boolean
  readonly online: boolean
}

/** A provider with its options put over it, as far as that can be told from outside. */
export interface ProviderInfo {
  readonly id: string
  readonly type: string
  readonly options: Readonly<Record<string, unknown>>
}

/** The providers that can be read at all; the others are problems of the configuration. */
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

/** What an object holds, less what is undefined there. */
function pickDefinedFields(value: unknown): Record<string, unknown> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined))
}

/** Whether a host is this machine itself. */
export function isLocalhost({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
