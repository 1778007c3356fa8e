import { describeValue } from "../../errors/describe-value.ts"
import { AuthError } from "../../errors.ts"
import { getProviderVariable } from "../environment.ts"
import type { ResolvedConfig } from "../resolved-config.ts"
import { createVariableHint } from "./missing-variable.ts"

/** Finds providers without the client secret that their token endpoint will most likely expect. */
export function findMissingClientSecrets({
  providers,
}: Pick<ResolvedConfig, "providers">): AuthError[] {
  return [...providers.values()].flatMap((provider) => {
    if (provider.type !== "oauth" && provider.type !== "oidc") return []
    const { id, clientSecret, clientAuthMethod, token } = provider
    if (clientSecret || token.clientSecret || !/^client_secret_/.test(clientAuthMethod)) return []
    const option = `providers.${id}.clientSecret`
    const expected = `\`${option}\` to be the secret that the provider gave your application`
    const variable = getProviderVariable(id, "SECRET")
    const hint = createVariableHint(
      variable,
      `Set \`clientSecret\`, or ${variable}. ` +
        'For a public client, set `client: { token_endpoint_auth_method: "none" }`.',
    )
    return new AuthError({ option, expected, received: describeValue(clientSecret), hint })
  })
}
