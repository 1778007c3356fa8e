import type { PageProvider } from "./page-provider.ts"

/** What a form needs to know of the page it stands on. */
export interface FormProps {
  readonly provider: PageProvider
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  readonly email: string | undefined
  /** Id of the element that says what went wrong. */
  readonly describedBy: string | undefined
  /** Whether the first input takes the focus. */
  readonly autofocus: boolean
  /** Whether this is the first form that has inputs: there is one main button on a page. */
  readonly isFirstForm: boolean
  /** Class with the provider's brand colour. */
  readonly brandColorClass: string | undefined
}
