import { createScriptedProvider } from "@latchkey/testing"

/** Starts an identity provider on a free port, and returns the environment of an application that signs in with it. */
export async function startKeycloak() {
  const provider = await createScriptedProvider({ id: "keycloak" })
  await provider.listen()
  const { clientId, clientSecret, issuer } = provider.asOptions()
  const environment = {
    AUTH_KEYCLOAK_ID: clientId,
    AUTH_KEYCLOAK_SECRET: clientSecret,
    AUTH_KEYCLOAK_ISSUER: issuer,
  }
  return { provider, environment }
}
