import type { NextAuthConfig } from "next-auth"
import Keycloak from "next-auth/providers/keycloak"

export default {
  providers: [Keycloak],
  callbacks: {
    authorized: ({ auth, request }) => !request.nextUrl.pathname.startsWith("/protected") || !!auth,
  },
} satisfies NextAuthConfig
