/** Which applications a run is about: all, or with `LATCHKEY_EXAMPLES=newest` the newest majors alone. */
import { type Application, applications } from "./catalogue.ts"

const skipsOlderMajors = process.env["LATCHKEY_EXAMPLES"] === "newest"

/** Whether a run leaves an application out. */
export function isSkipped({ overlay }: Application): boolean {
  return skipsOlderMajors && overlay !== undefined
}

/** Says which applications are left out. */
export function logSkippedApplications(): void {
  const titles = applications.filter(isSkipped).map(({ title }) => title)
  if (titles.length > 0) console.log(`skipped (LATCHKEY_EXAMPLES=newest): ${titles.join(", ")}`)
}
