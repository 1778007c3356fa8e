/** An application that uses the library, and everything that it logged. */
import { inspect } from "node:util"
import { Auth, type AuthConfig } from "@latchkey/core"
import { type BrowserOptions, createTestBrowser, type TestBrowser } from "@latchkey/testing"

export const testAppSecret = "a secret of the application, long enough: 1"

/** A configuration without `raw`, for which `Auth` returns a `Response`. */
export type TestAppConfig = Omit<AuthConfig, "raw">

interface LogLine {
  readonly level: "error" | "warn" | "debug"
  readonly code: string
  readonly message: readonly unknown[]
}

interface CollectedLog {
  readonly lines: LogLine[]
  /** The codes of the errors. */
  errorCodes(): string[]
  /** The messages of the errors with a code. */
  errorMessages(code: string): unknown[]
  /** Everything, as text: as JSON, and as a console would print it. */
  toText(): string
}

export interface TestApp {
  readonly config: TestAppConfig
  readonly log: CollectedLog
  readonly handle: (request: Request) => Promise<Response>
  /** Opens a browser at the application. */
  openBrowser(options?: BrowserOptions): TestBrowser
}

export function createTestApp(changes: Partial<TestAppConfig> = {}): TestApp {
  const log = createCollectedLog()
  const recordLevel = (level: LogLine["level"]) => {
    return (code: string, ...message: unknown[]) => void log.lines.push({ level, code, message })
  }
  const config: TestAppConfig = {
    providers: [],
    secret: testAppSecret,
    trustHost: true,
    logger: { error: recordLevel("error"), warn: recordLevel("warn"), debug: recordLevel("debug") },
    ...changes,
  }
  const handle = (request: Request) => Auth(request, config)
  return { config, log, handle, openBrowser: (options) => createTestBrowser(handle, options) }
}

function createCollectedLog(): CollectedLog {
  const lines: LogLine[] = []
  const errorLines = () => lines.filter(({ level }) => level === "error")
  return {
    lines,
    errorCodes: () => errorLines().map(({ code }) => code),
    errorMessages: (code) =>
      errorLines()
        .filter((line) => line.code === code)
        .map(({ message }) => message[0]),
    toText: () =>
      `${JSON.stringify(lines)}\n${inspect(lines, { depth: null, maxStringLength: null })}`,
  }
}
