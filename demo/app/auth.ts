/** Latchkey's configuration: five ways to sign in, users and sessions in the SQLite file. */
import { createHash } from "node:crypto"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import passkey from "@latchkey/core/providers/passkey"
import socialidp from "@latchkey/core/providers/socialidp"
import tenantidp from "@latchkey/core/providers/tenantidp"
import type { Places } from "../places.ts"
import type { Client } from "../shared/client.ts"
import { tidyName } from "../shared/names.ts"
import { brandColor, productName } from "./brand.ts"
import { type Chronicle, eventsInWords, logger } from "./chronicle.ts"
import { createLimit } from "./limits.ts"
import type { Members } from "./members.ts"
import type { Passkeys } from "./passkeys.ts"

/** What the configuration is made from. */
export interface AuthParts {
  readonly places: Places
  readonly clients: { readonly tenant: Client; readonly social: Client }
  readonly secret: string
  readonly adapter: Required<Adapter>
  readonly members: Members
  readonly passkeys: Passkeys
  readonly chronicle: Chronicle
}

/** Creates the configuration. */
export function authConfig(parts: AuthParts): AuthConfig {
  const { adapter, chronicle, secret } = parts
  const events = eventsInWords(chronicle, adapter)
  return {
    adapter,
    secret,
    // own-host.ts answers requests for our own host name only.
    trustHost: true,
    providers: [tenant(parts), social(parts), passkeys(), email(parts), password(parts)],
    experimental: { enableWebAuthn: true },
    // What fails is explained below the message. Not for a site that others visit.
    development: true,
    theme: { logo: "/logo.svg", brandColor, buttonText: "#ffffff" },
    callbacks: {
      // The default leaves out the id, by which we find what belongs to the person.
      session({ session, user: { id, name, email, image } }) {
        const expires = new Date(session.expires).toISOString()
        return { user: { id, name: name ?? null, email, image: image ?? null }, expires }
      },
    },
    events: {
      ...events,
      async linkAccount(message) {
        const { type, providerAccountId } = message.account
        if (type === "webauthn") parts.passkeys.added(providerAccountId)
        await events.linkAccount?.(message)
      },
    },
    logger: logger(chronicle),
    rateLimit: rateLimit(),
  }
}

function tenant({ places, clients }: AuthParts) {
  const { id, secret } = clients.tenant
  return tenantidp({
    name: "Alder ID",
    issuer: places.tenant.origin,
    clientId: id,
    clientSecret: secret,
    tenantId: "riverside",
    style: { logo: "/brands/alder.svg", brandColor: "#1d4f7c" },
  })
}

function social({ places, clients }: AuthParts) {
  const { id, secret } = clients.social
  const { origin } = places.social
  return socialidp({
    name: "Plaza",
    clientId: id,
    clientSecret: secret,
    authorization: { url: `${origin}/authorize` },
    token: `${origin}/token`,
    userinfo: `${origin}/info?format=json`,
    style: { logo: "/brands/plaza.svg", brandColor: "#b8431f" },
    // As the provider's own, but with pictures that do not lie at its well-known host.
    profile: ({ id, display_name, default_email, default_avatar_id, is_avatar_empty }) => ({
      id,
      name: display_name ?? null,
      email: default_email ?? null,
      image: default_avatar_id && !is_avatar_empty ? `/avatars/${default_avatar_id}` : null,
    }),
  })
}

function passkeys() {
  return passkey({
    name: "a passkey",
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
    // Whoever is new needs a name, and no address: one that nobody has proved would not be kept.
    getUserInfo: ({ fields }) => {
      const name = tidyName(fields["name"])
      return name === "" ? null : { exists: false, user: { name } }
    },
  })
}

function email({ places }: AuthParts) {
  const { host, port } = places.mail
  return nodemailer({
    name: "an email link",
    server: { host, port, secure: false, ignoreTLS: true },
    from: `"${productName}" <hello@loam.example>`,
    maxAge: 3600,
  })
}

function password({ members }: AuthParts) {
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

function rateLimit(): NonNullable<AuthConfig["rateLimit"]> {
  const limits = {
    "email-request": createLimit(10, 600),
    "email-link": createLimit(60, 60),
    credentials: createLimit(30, 60),
    "webauthn-options": createLimit(300, 60),
    webauthn: createLimit(60, 60),
  }
  return ({ action, identifier = "" }) =>
    // Kept as a hash: who was here is not the limit's business.
    limits[action](createHash("sha256").update(identifier).digest("hex"))
}
