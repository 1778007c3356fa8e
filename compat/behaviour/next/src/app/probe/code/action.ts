"use server"

import { Verification } from "@latchkey/core/errors"
import { redirect } from "next/navigation"
import { signIn } from "../../../auth.ts"

/** Sends an e-mail, and signs in with its code. */
export async function emailAction(form: FormData) {
  try {
    await signIn(form)
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    const { codeProblem, attemptsLeft } = error
    redirect(
      `/probe/code?${new URLSearchParams({ problem: `${codeProblem}`, left: `${attemptsLeft}` })}`,
    )
  }
}
