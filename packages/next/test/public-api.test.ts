import * as core from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import * as jwt from "@latchkey/core/jwt"
import nextAuth, * as latchkey from "@latchkey/next"
import { NextAuth, type NextAuthConfig, type NextAuthRequest } from "@latchkey/next"
import * as adapters from "@latchkey/next/adapters"
import * as nextJwt from "@latchkey/next/jwt"
import type { Provider } from "@latchkey/next/providers"
import github from "@latchkey/next/providers/github"
import * as react from "@latchkey/next/react"
import * as webauthn from "@latchkey/next/webauthn"
import type { NextFetchEvent, NextRequest } from "next/server.js"
import { expect, expectTypeOf, test } from "vitest"
import { createConfig } from "./support/config.ts"

test("exports what every framework package exports", () => {
  expect(Object.keys(latchkey).sort()).toEqual([
    "AccessTokenError",
    "AuthError",
    "CredentialsSignin",
    "LastAccount",
    "LastFactor",
    "NextAuth",
    "SessionNotFresh",
    "assertFreshSession",
    "customFetch",
    "default",
    "defineConfig",
    "getSessionInfo",
  ])
  expect(nextAuth).toBe(NextAuth)
  expect(latchkey.AuthError).toBe(errors.AuthError)
  expect(latchkey.defineConfig).toBe(core.defineConfig)
  expect(nextJwt).toEqual(jwt)
  expect(adapters).toBeTypeOf("object")
  expect(webauthn).toHaveProperty("createPasskeys")
})

test("the module for client components names each export, which React requires", () => {
  expect(Object.keys(react).sort()).toEqual([
    "ClientError",
    "SessionProvider",
    "client",
    "getCsrfToken",
    "getProviders",
    "getSession",
    "signIn",
    "signOut",
    "submitEmailCode",
    "updateSession",
    "useSession",
  ])
})

test("the functions", () => {
  expect(Object.keys(NextAuth(createConfig())).sort()).toEqual([
    "accounts",
    "auth",
    "checkConfigAtStartup",
    "factors",
    "getAccessToken",
    "handlers",
    "passkeys",
    "requireFreshSession",
    "requireSession",
    "sessions",
    "signIn",
    "signOut",
    "unstable_update",
    "updateSession",
    "users",
  ])
})

test("types follow from the configuration", () => {
  const { auth, requireSession, handlers } = NextAuth({
    providers: [github],
    callbacks: {
      authorized: ({ auth, request }) => auth !== null || request.nextUrl.pathname === "/",
      session: ({ session }) => ({ ...session, role: "reader" as const }),
    },
  })
  const read = () => auth()
  expectTypeOf(read).returns.resolves.toMatchTypeOf<{ role: "reader" } | null>()
  expectTypeOf(requireSession).returns.resolves.toMatchTypeOf<{ role: "reader" }>()
  expectTypeOf(handlers.GET).toEqualTypeOf<(request: NextRequest) => Promise<Response>>()
  const asProxy = (request: NextRequest, event: NextFetchEvent) => auth(request, event)
  expectTypeOf(asProxy).returns.resolves.toEqualTypeOf<Response>()
  const route = auth((request, context: { params: Promise<{ id: string }> }) => {
    expectTypeOf(request.auth).toMatchTypeOf<{ role: "reader" } | null>()
    return Response.json(context)
  })
  expectTypeOf(route).parameter(1).toEqualTypeOf<{ params: Promise<{ id: string }> }>()
  expectTypeOf<NextAuthRequest>().toExtend<NextRequest>()
  expectTypeOf<NextAuthConfig["providers"][number]>().toEqualTypeOf<Provider>()
})
