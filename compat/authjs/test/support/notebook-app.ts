/** An application written for Auth.js: only its imports are a parameter. */
import type { AuthConfig } from "@auth/core"
import type { Adapter } from "@auth/core/adapters"
import type { ScriptedProvider, SmtpTransportOptions } from "@latchkey/testing"
import type { LibraryImports } from "./library-imports.ts"

export interface NotebookServices {
  readonly work: ScriptedProvider
  readonly club: ScriptedProvider
  readonly adapter: Adapter
  readonly mail: SmtpTransportOptions
  readonly strategy: "jwt" | "database"
  /** The entries that the callbacks and events of the application wrote. */
  readonly journal: string[]
}

type Handler = (request: Request) => Promise<Response>

export function createNotebookApp(library: LibraryImports, services: NotebookServices): Handler {
  const { Auth, Credentials, CredentialsSignin, customFetch, Nodemailer } = library
  const { work, club, adapter, mail, strategy, journal } = services
  const recordCall = (callbackName: string, parameters: object) => {
    journal.push(
      `${callbackName} ${Object.entries(parameters).map(formatParameter).filter(Boolean).sort().join(" ")}`,
    )
  }

  class WrongPassword extends CredentialsSignin {
    override code = "wrong-password"
  }

  const password = Credentials({
    name: "Password",
    credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
    async authorize({ name, password }) {
      if (password !== "open sesame") throw new WrongPassword()
      const user = await adapter.getUserByEmail?.(`${name}@example.com`)
      return user ?? null
    },
  })

  const config: Omit<AuthConfig, "raw"> = {
    secret: "the secret of the notebook: 0123456789abcdef",
    trustHost: true,
    basePath: "/api/auth",
    adapter,
    providers: [
      { ...work.asOidc(), [customFetch]: work.fetch },
      { ...club.asOAuth(), [customFetch]: club.fetch },
      Nodemailer({ name: "E-mail", server: mail, from: "notebook@app.example" }),
      ...(strategy === "jwt" ? [password] : []),
    ],
    session: { strategy, maxAge: 3600, updateAge: 60 },
    pages: {
      signIn: "/login",
      signOut: "/bye",
      error: "/oops",
      verifyRequest: "/look",
      newUser: "/welcome",
    },
    theme: { colorScheme: "dark", brandColor: "#7a1f5c", logo: "/logo.svg" },
    cookies: { sessionToken: { name: "notebook", options: { sameSite: "strict" } } },
    callbacks: {
      signIn(params) {
        recordCall("may", params)
        if (params.user.email === "banned@example.com") return false
        return params.user.email === "waiting@example.com" ? "/waiting-list" : true
      },
      redirect: ({ url, baseUrl }) =>
        url === "/home" ? `${baseUrl}/notes` : new URL(url, baseUrl).href,
      jwt(params) {
        recordCall("token", params)
        const { token, trigger, session, profile } = params
        if (profile) token["subject"] = profile.sub
        if (trigger === "update") token["shelf"] = session.shelf
        return token
      },
      session(params) {
        const { session, trigger, newSession } = params
        recordCall("session", { trigger, newSession })
        const { name, email } = params.user ?? session.user
        const user = { name: name ?? null, email }
        const { subject, shelf } = params.token ?? {}
        return Object.assign({ user, expires: session.expires }, { subject, shelf })
      },
    },
    events: {
      signIn: (message) => recordCall("in", message),
      signOut: (message) => recordCall("out", message),
      createUser: (message) => recordCall("new", message),
      updateUser: (message) => recordCall("changed", message),
      linkAccount: (message) => recordCall("linked", message),
    },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  }
  return (request) => Auth(request, config)
}

/** Returns a parameter without values that differ in each run. */
function formatParameter([name, value]: [string, unknown]): string {
  if (value === undefined || value === null) return ""
  if (typeof value !== "object") return `${name}=${value}`
  const { email, provider, type } = value as Record<string, unknown>
  return `${name}(${[email, provider, type].filter(Boolean).join(",")})`
}
