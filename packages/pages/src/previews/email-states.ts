/** Lists the states of the pages of a sign-in by e-mail. */
import type { CodeFormProps } from "../pages/code-form.ts"
import { type PageState, type PreviewedApplication, sampleEmail } from "./page-state.ts"

const createForm = (homeUrl: string) => ({ csrfToken: "csrf-token", callbackUrl: homeUrl })

const codeProblems = [
  ["code-incorrect", "an incorrect code", { problem: "incorrect", attemptsLeft: 4 }],
  ["code-invalid", "a code that no longer works", { problem: "invalid" }],
] as const satisfies readonly (readonly [string, string, Partial<CodeFormProps>])[]

/** Returns the states of the page after a sign-in link was sent. */
export function listCheckEmailStates({ homeUrl, actionsUrl }: PreviewedApplication): PageState[] {
  const form = createForm(homeUrl)
  const signInUrl = `${actionsUrl}/signin`
  const link = { ...form, action: `${signInUrl}/email`, email: sampleEmail, signInUrl }
  const codeForm = { ...form, action: `${actionsUrl}/callback/email`, email: sampleEmail }
  const continueUrl = `${actionsUrl}/verify-request?continue=true`
  const linkPage = { page: "verify-request", homeUrl, link, continueUrl } as const
  const page = { ...linkPage, codeForm }
  const notices = [
    ["sent-again", "another email was sent"],
    ["too-soon", "another email too soon"],
    ["limited", "too many emails"],
    ["not-signed-in", "the link was not opened"],
  ] as const
  return [
    { name: "check-email", title: "Check your email", description: page },
    {
      name: "check-email-without-code",
      title: "Check your email, which has no code",
      description: linkPage,
    },
    {
      name: "check-email-elsewhere",
      title: "Check your email, in another browser",
      description: { page: "verify-request", homeUrl },
    },
    ...codeProblems.map(([name, title, problem]) => ({
      name: `check-email-${name}`,
      title: `Check your email: ${title}`,
      description: { ...page, codeForm: { ...codeForm, ...problem } },
    })),
    ...notices.map(([notice, title]) => ({
      name: `check-email-${notice}`,
      title: `Check your email: ${title}`,
      description: { ...page, notice },
    })),
  ]
}

/** Returns the states of the page that a link opens in another browser. */
export function listConfirmStates({ homeUrl, actionsUrl }: PreviewedApplication): PageState[] {
  const form = createForm(homeUrl)
  const codeForm = { ...form, action: `${actionsUrl}/callback/email` }
  const resendForm = { ...form, action: `${actionsUrl}/signin/email`, email: sampleEmail }
  const linkPage = { ...codeForm, page: "confirm", homeUrl, email: sampleEmail } as const
  const page = { ...linkPage, codeForm, resendForm }
  const problems = [
    ...codeProblems,
    ["code-missing", "the code is missing", { problem: "missing" }],
  ] as const
  return [
    { name: "confirm", title: "Confirm the sign-in by e-mail", description: linkPage },
    {
      name: "confirm-other-user",
      title: "Confirm the sign-in by e-mail, as another user",
      description: { ...linkPage, user: "Grace Hopper" },
    },
    { name: "confirm-code", title: "Enter the code of the e-mail", description: page },
    ...problems.map(([name, title, problem]) => ({
      name: `confirm-${name}`,
      title: `Enter the code of the e-mail: ${title}`,
      description: { ...page, codeForm: { ...codeForm, ...problem } },
    })),
  ]
}
