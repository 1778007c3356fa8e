import { QwikAuth$ } from "@auth/qwik"
import Credentials from "@auth/qwik/providers/credentials"
import Keycloak from "@auth/qwik/providers/keycloak"

export const { onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({
  trustHost: true,
  providers: [
    Keycloak,
    Credentials({
      credentials: { password: { type: "password" } },
      authorize: ({ password }) => (password === "open sesame" ? { name: "Ann" } : null),
    }),
  ],
}))
