/** Mistakes that developers make when they set up sign-in. */

import type { Misconfiguration } from "./misconfiguration.ts"
import { applicationMistakes } from "./mistakes/application.ts"
import { environmentMistakes } from "./mistakes/environment.ts"
import { providerMistakes } from "./mistakes/providers.ts"

export const misconfigurations: readonly Misconfiguration[] = [
  ...environmentMistakes,
  ...providerMistakes,
  ...applicationMistakes,
]
