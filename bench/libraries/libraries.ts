import { authjsLibrary } from "./authjs.ts"
import { betterAuthLibrary } from "./better-auth.ts"
import { expressOpenidConnectLibrary } from "./express-openid-connect.ts"
import { honoSessionLibrary } from "./hono-session.ts"
import { ironSessionLibrary } from "./iron-session.ts"
import { latchkeyLibrary } from "./latchkey.ts"
import type { Library } from "./library.ts"
import type { LibraryId } from "./library-names.ts"
import { passportLibrary } from "./passport.ts"

/** All measured libraries by id. */
export const libraries = {
  latchkey: latchkeyLibrary,
  reference: authjsLibrary,
  better: betterAuthLibrary,
  passport: passportLibrary,
  iron: ironSessionLibrary,
  hono: honoSessionLibrary,
  openid: expressOpenidConnectLibrary,
} as const satisfies Record<LibraryId, Library>
