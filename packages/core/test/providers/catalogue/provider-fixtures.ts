import { openidFixtures } from "./openid-fixtures.ts"
import type { ProviderFixture } from "./provider-fixture.ts"
import { regionalFixtures } from "./regional-fixtures.ts"
import { socialFixtures } from "./social-fixtures.ts"
import { tenantFixtures } from "./tenant-fixtures.ts"
import { workFixtures } from "./work-fixtures.ts"

/** The fixtures of all providers of the catalogue. */
export const providerFixtures: readonly ProviderFixture[] = [
  ...openidFixtures,
  ...tenantFixtures,
  ...workFixtures,
  ...socialFixtures,
  ...regionalFixtures,
]
