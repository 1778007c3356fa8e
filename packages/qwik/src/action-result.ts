import { AuthError, CredentialsSignin, isClientError, TooManyRequests } from "@latchkey/core/errors"
import type { ActionEvent } from "./event.ts"

/** What an action came to that did not fail. It leads away from the page, so that hardly anybody sees it. */
export interface ActionSuccess {
  failed?: undefined
  fieldErrors?: undefined
  formErrors?: undefined
  code?: undefined
}

/** What an action came to that failed. The page is rendered with it. */
export interface ActionFailure<Field extends string> {
  failed: true
  /** What is wrong with the input, by its fields. */
  fieldErrors: Partial<Record<Field, string>>
  /** The type of the error, such as `CredentialsSignin`; `Configuration` for what is none of the person's business. */
  formErrors: string[]
  /** That of a {@link CredentialsSignin}. */
  code?: string
}

/**
 * The result for an error of the library. The log has the whole story.
 *
 * @throws whatever is no error of the library
 */
export function createActionFailure(event: ActionEvent, error: unknown): ActionFailure<never> {
  if (!(error instanceof AuthError)) throw error
  const isPublic = isClientError(error)
  return event.fail(isPublic ? getStatus(error) : 500, {
    fieldErrors: {},
    formErrors: [isPublic ? error.type : "Configuration"],
    ...(error instanceof CredentialsSignin ? { code: error.code } : {}),
  })
}

function getStatus(error: AuthError): number {
  return error instanceof TooManyRequests ? 429 : 403
}
