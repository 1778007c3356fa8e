import type { Dialect } from "./dialect.ts"
import { openidDialects } from "./openid-dialects.ts"
import { regionalDialects } from "./regional-dialects.ts"
import { socialDialects } from "./social-dialects.ts"
import { tenantDialects } from "./tenant-dialects.ts"
import { workDialects } from "./work-dialects.ts"

/** Every provider of the catalogue, in its dialect. */
export const dialects: readonly Dialect[] = [
  ...openidDialects,
  ...tenantDialects,
  ...workDialects,
  ...socialDialects,
  ...regionalDialects,
]
