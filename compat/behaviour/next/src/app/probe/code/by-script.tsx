/** The forms, whose fields scripts use, too. */
"use client"

import { type EmailRequest, signIn, submitEmailCode } from "@latchkey/next/react"
import { useState } from "react"

export function CodeByScript({ action }: { action: (form: FormData) => Promise<void> }) {
  const [email, setEmail] = useState("")
  const [code, setCode] = useState("")
  const [sent, setSent] = useState<EmailRequest>()
  const [told, setTold] = useState("")

  async function send() {
    const redirectTo = "/probe/session"
    const result = await signIn("nodemailer", { email, redirectTo, redirect: false })
    if (result.ok && result.kind === "email-sent") setSent(result)
    setTold(JSON.stringify(result))
  }

  async function submit() {
    if (sent) setTold(JSON.stringify(await submitEmailCode(sent, code)))
  }

  return (
    <>
      <form action={action}>
        <input type="hidden" name="providerId" value="nodemailer" />
        <input type="hidden" name="redirectTo" value="/probe/session" />
        <label>
          E-mail
          <input
            name="email"
            type="email"
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            required
          />
        </label>
        <button type="submit">Send</button>
      </form>
      <form action={action}>
        <input type="hidden" name="providerId" value="nodemailer" />
        <label>
          Code
          <input
            name="code"
            autoComplete="one-time-code"
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
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
      <output>{told}</output>
    </>
  )
}
