/** Sign-in by e-mail when something else opens the link first: in every browser, with and without scripts. */
import { MiddlewareAuth } from "@latchkey/express"
import nodemailer, { type NodemailerOptions } from "@latchkey/express/providers/nodemailer"
import { createTransport } from "nodemailer"
import { expect } from "vitest"
import { testMatrices } from "./email-matrix/matrix.ts"
import type { CreateMiddleware } from "./email-matrix/site.ts"
import { createConfig } from "./support/config.ts"

const from = "hello@app.example"

const createApplication =
  (options: Partial<NodemailerOptions> = {}): CreateMiddleware =>
  ({ server, adapter }) =>
    MiddlewareAuth(
      createConfig({
        providers: [nodemailer({ server, from, ...options })],
        adapter,
        session: { strategy: "database" },
      }),
    )

/** An e-mail of the application's own, as for Auth.js: with the link only. */
const sendLink: NodemailerOptions["sendVerificationRequest"] = async ({
  identifier,
  url,
  provider,
}) => {
  const message = { to: identifier, from: provider.from, subject: "Sign in", text: url }
  await createTransport(provider.server).sendMail(message)
}

const undisturbed = {
  scannerSignedIn: false,
  scannerChangedRows: false,
  personSignedIn: true,
  tokensLeft: 0,
}

testMatrices([
  {
    name: "email-matrix-code",
    createMiddleware: createApplication(),
    ways: ["link", "code"],
    expectOutcome: (outcome) => expect(outcome).toEqual(undisturbed),
  },
  {
    name: "email-matrix-link",
    createMiddleware: createApplication({ sendVerificationRequest: sendLink }),
    ways: ["link"],
    // Nobody can tell the confirmation of a person from that of a scanner.
    expectOutcome: (outcome, { scanner }) =>
      expect(outcome).toEqual(
        scanner === "chromium"
          ? {
              ...undisturbed,
              scannerSignedIn: true,
              scannerChangedRows: true,
              personSignedIn: false,
            }
          : undisturbed,
      ),
  },
])
