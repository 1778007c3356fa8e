/**
 * A process that returns access tokens. For each message it asks for the tokens of the users, in many concurrent calls,
 * and sends what came of them.
 */
import { createAuth, customFetch } from "@latchkey/core"
import { AccessTokenError } from "@latchkey/core/errors"
import { processHeader } from "./family-provider.ts"
import { openTokenDatabase } from "./token-database.ts"

/** A message to the process. */
export interface TokenTask {
  readonly userIds: readonly string[]
  /** How many calls to make for each user, at once. */
  readonly calls: number
}

/** What came of the calls for one user, without duplicates. */
export interface TokenResults {
  readonly userId: string
  readonly accessTokens: readonly string[]
  readonly errors: readonly { readonly message: string; readonly needsSignIn: boolean }[]
}

const [databaseUrl = "", tokenEndpoint = "", name = ""] = process.argv.slice(2)
const { adapter } = await openTokenDatabase(databaseUrl)
const silent = () => undefined
const fetchAsProcess: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set(processHeader, name)
  return fetch(input, { ...init, headers })
}
const auth = createAuth({
  providers: [
    {
      id: "family",
      name: "Family",
      type: "oauth",
      clientId: "processes",
      clientSecret: "known-to-the-processes-and-to-the-provider",
      authorization: `${tokenEndpoint}/authorize`,
      token: tokenEndpoint,
      userinfo: `${tokenEndpoint}/userinfo`,
      [customFetch]: fetchAsProcess,
    },
  ],
  adapter,
  secret: "a secret of the tests, long enough and worth nothing",
  trustHost: true,
  logger: { error: silent, warn: silent },
})

async function getTokens(userId: string, calls: number): Promise<TokenResults> {
  const results = await Promise.allSettled(
    Array.from({ length: calls }, () => auth.getAccessToken({ userId }, "family")),
  )
  const accessTokens = results.flatMap((each) =>
    each.status === "fulfilled" ? [each.value.accessToken] : [],
  )
  const errors = results.flatMap(({ status, ...rest }) => {
    if (status === "fulfilled") return []
    const { reason } = rest as PromiseRejectedResult
    const needsSignIn = reason instanceof AccessTokenError && reason.needsSignIn
    return [JSON.stringify({ message: String(reason), needsSignIn })]
  })
  return {
    userId,
    accessTokens: [...new Set(accessTokens)],
    errors: [...new Set(errors)].map((each) => JSON.parse(each)),
  }
}

process.on("message", async ({ userIds, calls }: TokenTask) => {
  process.send?.(await Promise.all(userIds.map((userId) => getTokens(userId, calls))))
})
process.send?.("ready")
