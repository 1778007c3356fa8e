/** Sends an e-mail, and signs in with its code. */
import { Verification } from "@latchkey/core/errors"
import { fail } from "@sveltejs/kit"
import { signIn } from "../../../auth.ts"
import type { Actions } from "./$types"

export const actions: Actions = {
  default: async (event) => {
    try {
      await signIn(event)
    } catch (error) {
      if (!(error instanceof Verification)) throw error // On success, a redirect
      return fail(400, { problem: error.codeProblem, attemptsLeft: error.attemptsLeft })
    }
  },
}
