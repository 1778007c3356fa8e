/** Every adapter, on every database that there is. */
import { drizzle } from "./databases/drizzle.ts"
import { kysely } from "./databases/kysely.ts"
import { pg } from "./databases/pg.ts"
import { prisma } from "./databases/prisma.ts"
import { unstorage } from "./databases/unstorage.ts"
import type { Kind } from "./kind.ts"

export const kinds: readonly Kind[] = [kysely, ...drizzle, ...pg, ...prisma, unstorage]
