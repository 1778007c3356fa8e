import { openidFixtures } from "./openid-fixtures.ts"
import type { ProviderFixture } from "./provider-fixture.ts"
import { regionalFixtures } from "./regional-fixtures.ts"
import { socialFixtures } from "./social-fixtures.ts"
import { tenantFixtures } from "./tenant-fixtures.ts"
import { workFixtures } from "./work-fixtures.ts"

/** Every provider of the catalogue, in its dialect. */
export const providerFixtures: readonly ProviderFixture[] = [
  ...openidFixtures,
  ...tenantFixtures,
  ...workFixtures,
  ...socialFixtures,
  ...regionalFixtures,
]
