import { better } from "./better-auth.ts"
import { latchkey } from "./latchkey.ts"
import type { Library } from "./library.ts"
import { passportLibrary } from "./passport.ts"
import { reference } from "./reference.ts"

/** Everything that is measured, by the name that processes call it. */
export const libraries = {
  latchkey,
  reference,
  better,
  passport: passportLibrary,
} as const satisfies Record<string, Library>

export type LibraryId = keyof typeof libraries
