/** What was typed into a form, once an action has it. */
import type { QwikEvent } from "./event.ts"

/** What a page may show again. */
const nonSecretFields = ["providerId", "redirectTo", "options.redirectTo", "options.email"]

/**
 * Takes what may be a secret out of the form: a password, or whatever a provider asks for. Qwik writes all that is left
 * of a form which was sent without JavaScript into the page that it answers with, for `action.formData`.
 */
export function removeSecretFields({ sharedMap }: Pick<QwikEvent, "sharedMap">): void {
  for (const form of sharedMap.values()) {
    if (!(form instanceof FormData)) continue
    for (const name of [...form.keys()]) if (!nonSecretFields.includes(name)) form.delete(name)
  }
}
