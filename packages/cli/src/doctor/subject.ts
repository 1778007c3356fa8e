/** What is examined: a configuration as an adapter hands it to the core, and its surroundings. */
import type { AuthConfig } from "@latchkey/core"

export interface Subject {
  /** With the environment's defaults; a copy, and silent. */
  readonly config: AuthConfig
  readonly file: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The address that people open. */
  readonly url: URL
  /** Nobody said what the address is. */
  readonly isGuessed: boolean
  readonly production: boolean
  readonly online: boolean
}

/** A provider with its options put over it, as far as that can be told from outside. */
export interface ProviderFacts {
  readonly id: string
  readonly type: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** The providers that can be read at all; the others are problems of the configuration. */
export function providersOf({ config }: Pick<Subject, "config">): ProviderFacts[] {
  const list: unknown = config.providers
  return (Array.isArray(list) ? list : []).flatMap((provider: unknown) => {
    if (typeof provider !== "object" || provider === null) return []
    const facts = { ...provider, ...fieldsOf("options" in provider ? provider.options : {}) }
    const { id, type } = facts as { id?: unknown; type?: unknown }
    return typeof id === "string" ? [{ id, type: String(type), facts }] : []
  })
}

/** What an object holds, less what is undefined there. */
function fieldsOf(value: unknown): Record<string, unknown> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined))
}

/** Whether a host is this machine itself. */
export function isLocal({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
