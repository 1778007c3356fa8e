/** Lists the states of the page that asks for the second factor. */
import type { PageState, PreviewedApplication } from "./page-state.ts"

/** Returns the states in the order in which visitors may see them. */
export function listSecondFactorStates({ homeUrl, actionsUrl }: PreviewedApplication): PageState[] {
  const signInUrl = `${actionsUrl}/signin`
  const action = `${signInUrl}/second-factor`
  const getUrl = (method: string) => `${action}?method=${method}`
  const page = {
    page: "second-factor",
    form: { csrfToken: "csrf-token", callbackUrl: homeUrl, action },
    isIncorrect: false,
    signInUrl,
  } as const
  const byApp = {
    ...page,
    method: "totp",
    others: [{ method: "recovery-codes", url: getUrl("recovery-codes") }],
  } as const
  return [
    { name: "second-factor", title: "The code of an app", description: byApp },
    {
      name: "second-factor-incorrect",
      title: "The code of an app: an incorrect code",
      description: { ...byApp, isIncorrect: true },
    },
    {
      name: "second-factor-recovery-code",
      title: "A recovery code",
      description: {
        ...page,
        method: "recovery-codes",
        others: [{ method: "totp", url: getUrl("totp") }],
      },
    },
  ]
}
