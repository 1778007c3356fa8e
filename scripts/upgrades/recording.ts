/** Recordings of browsers and databases from the time when an earlier release ran, in `releases/<version>`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { TestBrowser } from "@latchkey/testing"

/** Where people were when the release ended: their browsers, and addresses that they have not opened yet. */
export interface Recording {
  /** When it ended, in milliseconds since 1970. */
  readonly time: number
  /** The `Set-Cookie` lines of each browser. */
  readonly browsers: Readonly<Record<BrowserName, readonly string[]>>
  /** The address at the provider that a browser is on its way to. */
  readonly authorizationUrl: string
  /** The link in an e-mail. */
  readonly emailLink: string
  /** The token in a form that is open. */
  readonly csrfToken: string
  /** The second factors of Lin; absent without a database. */
  readonly factors?: RecordedFactors
}

/** An authenticator app, and recovery codes. */
export interface RecordedFactors {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** The browsers, by what people are doing there. */
export type BrowserName =
  | "signed in"
  | "signed out"
  | "at the provider"
  | "waiting for an e-mail"
  | "with an open form"
  | "with a trusted device"
  | "waiting for a second factor"

const releasesFolder = join(import.meta.dirname, "releases")

/** The recorded releases, oldest first. */
export const releases: readonly string[] = readdirSync(releasesFolder).sort((a, b) =>
  a.localeCompare(b, "en", { numeric: true }),
)

/** The release to record: `LATCHKEY_RECORD=1.0.0 npm test -- scripts/upgrades`, at the commit of its tag. */
export const recordedRelease: string | undefined = process.env["LATCHKEY_RECORD"]

/** Returns the path of a file of a release. */
export function getReleaseFile(release: string, name: string): string {
  return join(releasesFolder, release, name)
}

export function readRecording(release: string, name: string): Recording {
  return JSON.parse(readFileSync(getReleaseFile(release, `${name}.json`), "utf8"))
}

/** @throws Error if the release has it already: what a release wrote does not change */
export function writeReleaseFile(release: string, name: string, text: string): void {
  const file = getReleaseFile(release, name)
  if (existsSync(file)) throw new Error(`${file} exists.`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`)
}

/** Lists the cookies of a browser as they were set. */
export function listCookies({ cookies }: TestBrowser): string[] {
  return cookies.names.map((name) => cookies.get(name)?.raw ?? "")
}
