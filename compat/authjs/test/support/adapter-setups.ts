/** Every adapter, on every available database. */

import type { AdapterSetup } from "./adapter-setup.ts"
import { d1Setup } from "./databases/d1.ts"
import { drizzleSetups } from "./databases/drizzle.ts"
import { kyselySetup } from "./databases/kysely.ts"
import { mongodbSetup } from "./databases/mongodb.ts"
import { neonSetups } from "./databases/neon.ts"
import { pgSetups } from "./databases/pg.ts"
import { prismaSetups } from "./databases/prisma.ts"
import { sequelizeSetups } from "./databases/sequelize.ts"
import { supabaseSetups } from "./databases/supabase.ts"
import { typeormSetups } from "./databases/typeorm.ts"
import { unstorageSetup } from "./databases/unstorage.ts"
import { upstashSetups } from "./databases/upstash.ts"

export const adapterSetups: readonly AdapterSetup[] = [
  kyselySetup,
  ...drizzleSetups,
  ...pgSetups,
  ...prismaSetups,
  ...typeormSetups,
  ...sequelizeSetups,
  ...neonSetups,
  ...supabaseSetups,
  d1Setup,
  mongodbSetup,
  ...upstashSetups,
  unstorageSetup,
]
