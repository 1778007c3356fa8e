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
  const email = { address: "a•••@example.com", isSent: false }
  const others = [{ method: "totp", url: getUrl("totp") }] as const
  const byEmail = { ...page, method: "email-codes", email, others } as const
  const emailSetup = {
    page: "email-codes-setup",
    ...{ address: email.address, form, leave, isIncorrect: false, appUrl: getUrl("totp") },
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
    { name: "second-factor-email", title: "A code by e-mail", description: byEmail },
    {
      name: "second-factor-email-sent",
      title: "A code by e-mail: it was sent",
      description: { ...byEmail, email: { ...email, isSent: true } },
    },
    {
      name: "second-factor-setup-with-email",
      title: "A new app, or codes by e-mail",
      description: { ...setup, emailUrl: getUrl("email-codes") },
    },
    { name: "email-codes-setup", title: "Codes by e-mail", description: emailSetup },
    {
      name: "email-codes-setup-sent",
      title: "Codes by e-mail: the first code was sent",
      description: { ...emailSetup, setup: "setup" },
    },
    {
      name: "email-codes-setup-incorrect",
      title: "Codes by e-mail: an incorrect code",
      description: { ...emailSetup, setup: "setup", isIncorrect: true },
    },
    {
      name: "add-passkey",
      title: "A new passkey",
      description: {
        page: "add-passkey",
        optionsUrl: `${actionsUrl}/webauthn-options/passkey?link=true`,
        form: { ...form, action: `${actionsUrl}/callback/passkey` },
        leave: { kind: "cancel", url: homeUrl },
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
