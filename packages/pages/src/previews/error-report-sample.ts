/** A report for developers, as the error page shows it in development. */
import type { ErrorReport } from "../pages/error-report.ts"

export const errorReportSample: ErrorReport = {
  type: "OAuthCallbackError",
  message: "The token endpoint refused the client.",
  hint: "Check `clientSecret`.",
  docs: "npx @latchkey/cli explain OAuthCallbackError",
  causes: ["ResponseBodyError (OAUTH_RESPONSE_BODY_ERROR): server responded with an error"],
  heading: "Steps",
  steps: [
    { name: "Request", received: "GET /auth/callback/example, sent from another site" },
    { name: "state", received: "43 characters", isAsExpected: true, expected: "43 characters" },
    {
      name: "Token endpoint",
      received: "401 `invalid_client`",
      isAsExpected: false,
      expected: "200 with `access_token`",
      hint: "Copy the secret of this client from the provider's settings.",
    },
  ],
}
