/** The applications to test: all, or only the newest major versions with `LATCHKEY_EXAMPLES=newest`. */
import { type Application, applications } from "./catalogue.ts"

const skipsOlderMajors = process.env["LATCHKEY_EXAMPLES"] === "newest"

/** Whether an application is skipped. */
export function isSkipped({ overlay }: Application): boolean {
  return skipsOlderMajors && overlay !== undefined
}

/** Prints the skipped applications. */
export function logSkippedApplications(): void {
  const titles = applications.filter(isSkipped).map(({ title }) => title)
  if (titles.length > 0) console.log(`skipped (LATCHKEY_EXAMPLES=newest): ${titles.join(", ")}`)
}
