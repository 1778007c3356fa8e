/** The whole table. */
import { addresses } from "./addresses.ts"
import type { Chapter } from "./behaviour.ts"
import { requests } from "./requests.ts"
import { sessions } from "./sessions.ts"
import { signingIn } from "./signing-in.ts"

export const chapters: readonly Chapter[] = [signingIn, sessions, requests, addresses]
