/** Lists the states of the pages for second factors. */
import type { PageState, PreviewedApplication } from "./page-state.ts"

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
const codes = Array.from({ length: 10 }, (_, index) => `k7dq-3m${index}x-9w2${index}`)

/** Returns the states in the order in which visitors may see them. */
export function listSecondFactorStates({ homeUrl, actionsUrl }: PreviewedApplication): PageState[] {
  const signInUrl = `${actionsUrl}/signin`
  const action = `${signInUrl}/second-factor`
  const getUrl = (method: string) => `${action}?method=${method}`
  const form = { csrfToken: "csrf-token", callbackUrl: homeUrl, action }
  const leave = { kind: "sign-in", url: signInUrl } as const
  const page = { page: "second-factor", form, isIncorrect: false, canTrust: false, leave } as const
  const byApp = {
    ...page,
    method: "totp",
    others: [{ method: "recovery-codes", url: getUrl("recovery-codes") }],
  } as const
  const url = `otpauth://totp/Riverside:ada%40example.com?secret=${secret}&issuer=Riverside`
  const setup = {
    page: "second-factor-setup",
    ...{ form, leave, secret, url, setup: "setup", isIncorrect: false },
  } as const
  return [
    { name: "second-factor", title: "The code of an app", description: byApp },
    {
      name: "second-factor-incorrect",
      title: "The code of an app: an incorrect code",
      description: { ...byApp, isIncorrect: true },
    },
    {
      name: "second-factor-trust",
      title: "The code of an app: with a box to trust the device",
      description: { ...byApp, canTrust: true },
    },
    {
      name: "second-factor-step-up",
      title: "The code of an app: in a running session",
      description: { ...byApp, leave: { kind: "cancel", url: homeUrl } },
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
    {
      name: "second-factor-passkey",
      title: "A passkey",
      description: {
        ...byApp,
        method: "passkey",
        others: [{ method: "totp", url: getUrl("totp") }],
        passkeyOptionsUrl: `${actionsUrl}/webauthn-options/passkey?second-factor=true`,
      },
    },
    { name: "second-factor-setup", title: "A new app", description: setup },
    {
      name: "second-factor-setup-incorrect",
      title: "A new app: an incorrect code",
      description: { ...setup, isIncorrect: true },
    },
    {
      name: "recovery-codes",
      title: "New recovery codes",
      description: { page: "recovery-codes", codes, continueUrl: homeUrl },
    },
  ]
}
