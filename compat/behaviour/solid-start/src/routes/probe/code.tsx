/** Sends an e-mail, and signs in with its code. */
import { Verification } from "@latchkey/core/errors"
import { signIn as signInOnServer } from "@latchkey/solid-start"
import { type EmailRequest, signIn, submitEmailCode } from "@latchkey/solid-start/client"
import { action, redirect, useSearchParams } from "@solidjs/router"
import { createSignal, Show } from "solid-js"
import { config } from "../../auth.config.ts"

const emailAction = action(async (form: FormData) => {
  "use server"
  try {
    await signInOnServer(config, form)
  } catch (error) {
    if (!(error instanceof Verification)) throw error
    const { codeProblem, attemptsLeft } = error
    const query = new URLSearchParams({ problem: `${codeProblem}`, left: `${attemptsLeft}` })
    throw redirect(`/probe/code?${query}`)
  }
}, "email")

export default function CheckYourEmail() {
  const [params] = useSearchParams<{ problem: string; left: string }>()
  const [email, setEmail] = createSignal("")
  const [code, setCode] = createSignal("")
  const [sent, setSent] = createSignal<EmailRequest>()
  const [told, setTold] = createSignal("")

  async function send() {
    const redirectTo = "/probe/session"
    const result = await signIn("nodemailer", { email: email(), redirectTo, redirect: false })
    if (result.kind === "email-sent") setSent(result)
    setTold(JSON.stringify(result))
  }

  async function submit() {
    const request = sent()
    if (request) setTold(JSON.stringify(await submitEmailCode(request, code())))
  }

  return (
    <>
      <h1>Check your e-mail</h1>
      <Show when={params.problem}>
        <p role="alert">
          {params.problem}, {params.left} attempts left
        </p>
      </Show>
      <form action={emailAction} method="post">
        <input type="hidden" name="providerId" value="nodemailer" />
        <input type="hidden" name="redirectTo" value="/probe/session" />
        <label>
          E-mail
          <input
            name="email"
            type="email"
            onInput={({ target }) => setEmail(target.value)}
            required
          />
        </label>
        <button type="submit">Send</button>
      </form>
      <form action={emailAction} method="post">
        <input type="hidden" name="providerId" value="nodemailer" />
        <label>
          Code
          <input
            name="code"
            autocomplete="one-time-code"
            onInput={({ target }) => setCode(target.value)}
            required
          />
        </label>
        <button type="submit">Sign in</button>
      </form>
      <button type="button" onClick={send}>
        Send by script
      </button>
      <button type="button" onClick={submit}>
        Sign in by script
      </button>
      <output>{told()}</output>
    </>
  )
}
