/** An application that uses the library, and everything that it logged. */
import { inspect } from "node:util"
import { Auth, type AuthConfig } from "@latchkey/core"
import { type Browser, type BrowserOptions, browser } from "@latchkey/testing"

export const applicationSecret = "a secret of the application, long enough: 1"

/** A configuration without `raw`: what `Auth` answers with a `Response`. */
export type ApplicationConfig = Omit<AuthConfig, "raw">

interface LogLine {
  readonly level: "error" | "warn" | "debug"
  readonly code: string
  readonly message: readonly unknown[]
}

interface CollectedLog {
  readonly lines: LogLine[]
  /** The codes of the errors. */
  errors(): string[]
  /** The messages of the errors with a code. */
  messages(code: string): unknown[]
  /** Everything, as text: as JSON, and as a console would print it. */
  text(): string
}

export interface Application {
  readonly config: ApplicationConfig
  readonly log: CollectedLog
  readonly handle: (request: Request) => Promise<Response>
  /** Opens a browser at the application. */
  visitor(options?: BrowserOptions): Browser
}

export function application(changes: Partial<ApplicationConfig> = {}): Application {
  const log = collectedLog()
  const write = (level: LogLine["level"]) => {
    return (code: string, ...message: unknown[]) => void log.lines.push({ level, code, message })
  }
  const config: ApplicationConfig = {
    providers: [],
    secret: applicationSecret,
    trustHost: true,
    logger: { error: write("error"), warn: write("warn"), debug: write("debug") },
    ...changes,
  }
  const handle = (request: Request) => Auth(request, config)
  return { config, log, handle, visitor: (options) => browser(handle, options) }
}

function collectedLog(): CollectedLog {
  const lines: LogLine[] = []
  const errors = () => lines.filter(({ level }) => level === "error")
  return {
    lines,
    errors: () => errors().map(({ code }) => code),
    messages: (code) =>
      errors()
        .filter((line) => line.code === code)
        .map(({ message }) => message[0]),
    text: () =>
      `${JSON.stringify(lines)}\n${inspect(lines, { depth: null, maxStringLength: null })}`,
  }
}
