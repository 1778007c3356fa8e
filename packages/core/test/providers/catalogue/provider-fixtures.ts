import { businessFixtures } from "./business-fixtures.ts"
import { communityFixtures } from "./community-fixtures.ts"
import { identityPlatformFixtures } from "./identity-platform-fixtures.ts"
import { openidAccountFixtures } from "./openid-account-fixtures.ts"
import { openidFixtures } from "./openid-fixtures.ts"
import type { ProviderFixture } from "./provider-fixture.ts"
import { regionalFixtures } from "./regional-fixtures.ts"
import { selfHostedFixtures } from "./self-hosted-fixtures.ts"
import { socialFixtures } from "./social-fixtures.ts"
import { tenantFixtures } from "./tenant-fixtures.ts"
import { workFixtures } from "./work-fixtures.ts"

/** The fixtures of all providers of the catalogue. */
export const providerFixtures: readonly ProviderFixture[] = [
  ...openidFixtures,
  ...openidAccountFixtures,
  ...tenantFixtures,
  ...identityPlatformFixtures,
  ...selfHostedFixtures,
  ...workFixtures,
  ...businessFixtures,
  ...socialFixtures,
  ...communityFixtures,
  ...regionalFixtures,
]
