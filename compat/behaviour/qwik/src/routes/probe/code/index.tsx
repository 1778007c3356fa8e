/** Sends an e-mail, and signs in with its code. */
import { component$, useSignal } from "@builder.io/qwik"
import { Form } from "@builder.io/qwik-city"
import { type EmailRequest, signIn, submitEmailCode } from "@latchkey/qwik/client"
import { useSignIn } from "../../../auth.ts"

export default component$(() => {
  const action = useSignIn()
  const email = useSignal("")
  const code = useSignal("")
  const sent = useSignal<EmailRequest>()
  const told = useSignal("")
  const { formErrors, reason, attemptsLeft } = { ...action.value }
  return (
    <>
      <h1>Check your e-mail</h1>
      <div>
        {formErrors && (
          <p role="alert">
            {reason}, {attemptsLeft} attempts left
          </p>
        )}
      </div>
      <Form action={action}>
        <input type="hidden" name="providerId" value="nodemailer" />
        <input type="hidden" name="redirectTo" value="/probe/session" />
        <label>
          E-mail <input name="options.email" type="email" bind:value={email} required />
        </label>
        <button type="submit">Send</button>
      </Form>
      <Form action={action}>
        <input type="hidden" name="providerId" value="nodemailer" />
        <label>
          Code
          <input name="options.code" autocomplete="one-time-code" bind:value={code} required />
        </label>
        <button type="submit">Sign in</button>
      </Form>
      <button
        type="button"
        onClick$={async () => {
          const result = await signIn("nodemailer", {
            email: email.value,
            redirectTo: "/probe/session",
            redirect: false,
          })
          if (result.kind === "email-sent") sent.value = result
          told.value = JSON.stringify(result)
        }}
      >
        Send by script
      </button>
      <button
        type="button"
        onClick$={async () => {
          if (sent.value) told.value = JSON.stringify(await submitEmailCode(sent.value, code.value))
        }}
      >
        Sign in by script
      </button>
      <output>{told.value}</output>
    </>
  )
})
