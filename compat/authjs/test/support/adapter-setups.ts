/** Every adapter, on every available database. */

import type { AdapterSetup } from "./adapter-setup.ts"
import { drizzleSetups } from "./databases/drizzle.ts"
import { kyselySetup } from "./databases/kysely.ts"
import { pgSetups } from "./databases/pg.ts"
import { prismaSetups } from "./databases/prisma.ts"
import { unstorageSetup } from "./databases/unstorage.ts"

export const adapterSetups: readonly AdapterSetup[] = [
  kyselySetup,
  ...drizzleSetups,
  ...pgSetups,
  ...prismaSetups,
  unstorageSetup,
]
