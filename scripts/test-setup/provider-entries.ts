import { runScript } from "./run-script.ts"

/** Framework packages re-export the provider catalogue with files that they have only in `dist`. */
export default function setUp(): void {
  runScript("scripts/provider-entries.ts")
}
