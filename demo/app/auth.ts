/** Latchkey's configuration: five ways to sign in, users and sessions in the SQLite file. */
import { createHash } from "node:crypto"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import passkey from "@latchkey/core/passkeys"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { recoveryCodes, totp } from "@latchkey/core/second-factor"
import type { ServerAddresses } from "../addresses.ts"
import type { OAuthClient } from "../shared/client.ts"
import { normalizeName } from "../shared/names.ts"
import { type ActivityLog, createEventLogger, createLogger } from "./activity-log.ts"
import { brandColor, productName } from "./brand.ts"
import { getDeviceLabel } from "./device-label.ts"
import type { MemberStore } from "./members.ts"
import { createRateLimit } from "./rate-limit.ts"

export interface AuthDependencies {
  readonly addresses: ServerAddresses
  readonly clients: { readonly tenant: OAuthClient; readonly social: OAuthClient }
  readonly secret: string
  readonly adapter: Adapter & Required<Pick<Adapter, "getUser">>
  readonly members: MemberStore
  readonly logActivity: ActivityLog
}

export function createAuthConfig(parts: AuthDependencies): AuthConfig {
  const { adapter, logActivity, secret } = parts
  return {
    adapter,
    secret,
    // `requireCanonicalHost` rejects requests for other host names.
    trustHost: true,
    providers: [
      createTenantProvider(parts),
      createSocialProvider(parts),
      createPasskeyProvider(),
      createEmailProvider(parts),
      createPasswordProvider(parts),
    ],
    // For the page "Security".
    secondFactor: {
      methods: [totp({ issuer: productName }), recoveryCodes()],
      trustDevice: { maxAge: 30 * 24 * 3600 },
      // The fingerprint, face or PIN that unlocks a passkey is the second one.
      accept: { passkey: true },
    },
    // For the page "Your sessions".
    session: { records: { deviceLabel: getDeviceLabel, network: true } },
    // Shows error reports on the pages. Never use this on a public site.
    development: true,
    theme: { name: productName, logo: "/logo.svg", brandColor, buttonText: "#ffffff" },
    pages: { signUp: "/join" },
    callbacks: {
      // The default session lacks the id, which the application needs to find the user's data.
      session({ session, user: { id, name, email, image } }) {
        const expires = new Date(session.expires).toISOString()
        return { user: { id, name: name ?? null, email, image: image ?? null }, expires }
      },
    },
    events: createEventLogger(logActivity, adapter),
    logger: createLogger(logActivity),
    rateLimit: createRateLimits(),
  }
}

function createTenantProvider({ addresses, clients }: AuthDependencies) {
  const { id, secret } = clients.tenant
  return tenantidp({
    name: "Alder ID",
    issuer: addresses.tenant.origin,
    clientId: id,
    clientSecret: secret,
    tenantId: "riverside",
    style: { logo: "/brands/alder.svg", brandColor: "#1d4f7c" },
  })
}

function createSocialProvider({ addresses, clients }: AuthDependencies) {
  const { id, secret } = clients.social
  const { origin } = addresses.social
  return socialidp({
    name: "Plaza",
    clientId: id,
    clientSecret: secret,
    authorization: { url: `${origin}/authorize` },
    token: `${origin}/token`,
    userinfo: `${origin}/info?format=json`,
    style: { logo: "/brands/plaza.svg", brandColor: "#b8431f" },
    // Plaza sends only addresses that it has verified. Others are not stored, because an email link would open them.
    emailVerified: true,
    // The same as the provider's default, except for the URL of the picture.
    profile: ({ id, display_name, default_email, default_avatar_id, is_avatar_empty }) => ({
      id,
      name: display_name ?? null,
      email: default_email ?? null,
      image: default_avatar_id && !is_avatar_empty ? `/avatars/${default_avatar_id}` : null,
    }),
  })
}

function createPasskeyProvider() {
  return passkey({
    relayingParty: { name: productName },
    formFields: {
      name: {
        label: "Your name, if you are new",
        type: "text",
        required: true,
        autocomplete: "username webauthn",
        maxlength: 60,
      },
    },
    // New users need a name but no address, because an unverified address is not stored.
    getUserInfo: ({ fields }) => {
      const name = normalizeName(fields["name"])
      return name === "" ? null : { exists: false, user: { name } }
    },
  })
}

function createEmailProvider({ addresses }: AuthDependencies) {
  const { host, port } = addresses.mail
  return nodemailer({
    name: "an email link",
    server: { host, port, secure: false, ignoreTLS: true },
    from: `"${productName}" <hello@loam.example>`,
    maxAge: 3600,
  })
}

function createPasswordProvider({ members }: AuthDependencies) {
  return credentials({
    name: "a password",
    credentials: {
      username: {
        label: "User name",
        type: "text",
        required: true,
        autocomplete: "username",
        autocapitalize: "none",
        spellcheck: "false",
        maxlength: 30,
      },
      password: { label: "Password", type: "password", required: true, maxlength: 200 },
    },
    authorize: ({ username, password }) => members.authorize(username, password),
  })
}

function createRateLimits(): NonNullable<AuthConfig["rateLimit"]> {
  const limits = {
    "email-request": createRateLimit(10, 600),
    "email-link": createRateLimit(60, 60),
    credentials: createRateLimit(30, 60),
    "webauthn-options": createRateLimit(300, 60),
    webauthn: createRateLimit(60, 60),
  }
  return ({ action, identifier = "" }) =>
    // Hashed, because the limit does not need to store who the user is.
    limits[action](createHash("sha256").update(identifier).digest("hex"))
}
