/** All groups of the behaviour table. */
import { addressBehaviours } from "./addresses.ts"
import type { BehaviourGroup } from "./behaviour.ts"
import { frontEndBehaviours } from "./front-end.ts"
import { requestBehaviours } from "./requests.ts"
import { sessionBehaviours } from "./sessions.ts"
import { signInBehaviours } from "./sign-in.ts"

export const behaviourGroups: readonly BehaviourGroup[] = [
  signInBehaviours,
  sessionBehaviours,
  requestBehaviours,
  frontEndBehaviours,
  addressBehaviours,
]
