import { authjsLibrary } from "./authjs.ts"
import { betterAuthLibrary } from "./better-auth.ts"
import { expressOpenidConnectLibrary } from "./express-openid-connect.ts"
import { honoSessionLibrary } from "./hono-session.ts"
import { ironSessionLibrary } from "./iron-session.ts"
import { latchkeyLibrary } from "./latchkey.ts"
import type { Library } from "./library.ts"
import type { SubjectId } from "./library-names.ts"
import { limitLibrary, limitWebLibrary } from "./limit/limit.ts"
import { passportLibrary } from "./passport.ts"

/** All measured libraries by id, and the least possible work. */
export const libraries = {
  latchkey: latchkeyLibrary,
  reference: authjsLibrary,
  better: betterAuthLibrary,
  passport: passportLibrary,
  iron: ironSessionLibrary,
  hono: honoSessionLibrary,
  openid: expressOpenidConnectLibrary,
  limit: limitLibrary,
  limitWeb: limitWebLibrary,
} as const satisfies Record<SubjectId, Library>
