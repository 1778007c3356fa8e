/** The imports of an application from a library: the only lines that change in a migration. */
import * as authjsCore from "@auth/core"
import * as authjsErrors from "@auth/core/errors"
import AuthjsCredentials from "@auth/core/providers/credentials"
import AuthjsNodemailer from "@auth/core/providers/nodemailer"
import * as latchkeyCore from "@latchkey/core"
import * as latchkeyErrors from "@latchkey/core/errors"
import LatchkeyCredentials from "@latchkey/core/providers/credentials"
import LatchkeyNodemailer from "@latchkey/core/providers/nodemailer"

/** The imports of an application, with the types of Auth.js, for which it was written. */
export interface LibraryImports {
  readonly Auth: typeof authjsCore.Auth
  readonly customFetch: typeof authjsCore.customFetch
  readonly CredentialsSignin: typeof authjsErrors.CredentialsSignin
  readonly Credentials: typeof AuthjsCredentials
  readonly Nodemailer: typeof AuthjsNodemailer
}

export const authjs: LibraryImports = {
  Auth: authjsCore.Auth,
  customFetch: authjsCore.customFetch,
  CredentialsSignin: authjsErrors.CredentialsSignin,
  Credentials: AuthjsCredentials,
  Nodemailer: AuthjsNodemailer,
}

const { Auth, customFetch } = latchkeyCore

// The declarations of the two libraries name different types; the tests show that the values are compatible.
export const latchkey = {
  Auth,
  customFetch,
  CredentialsSignin: latchkeyErrors.CredentialsSignin,
  Credentials: LatchkeyCredentials,
  Nodemailer: LatchkeyNodemailer,
} as object as LibraryImports
