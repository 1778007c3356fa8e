/** What an application imports of a library: the only lines that change when it moves. */
import * as referenceCore from "@auth/core"
import * as referenceErrors from "@auth/core/errors"
import ReferenceCredentials from "@auth/core/providers/credentials"
import ReferenceNodemailer from "@auth/core/providers/nodemailer"
import * as latchkeyCore from "@latchkey/core"
import * as latchkeyErrors from "@latchkey/core/errors"
import LatchkeyCredentials from "@latchkey/core/providers/credentials"
import LatchkeyNodemailer from "@latchkey/core/providers/nodemailer"

/** The imports of an application, typed by the reference library, for which it was written. */
export interface Imports {
  readonly Auth: typeof referenceCore.Auth
  readonly customFetch: typeof referenceCore.customFetch
  readonly CredentialsSignin: typeof referenceErrors.CredentialsSignin
  readonly Credentials: typeof ReferenceCredentials
  readonly Nodemailer: typeof ReferenceNodemailer
}

export const reference: Imports = {
  Auth: referenceCore.Auth,
  customFetch: referenceCore.customFetch,
  CredentialsSignin: referenceErrors.CredentialsSignin,
  Credentials: ReferenceCredentials,
  Nodemailer: ReferenceNodemailer,
}

const { Auth, customFetch } = latchkeyCore

// The declarations of two libraries never name the same types; that the values fit is what the tests show.
export const latchkey = {
  Auth,
  customFetch,
  CredentialsSignin: latchkeyErrors.CredentialsSignin,
  Credentials: LatchkeyCredentials,
  Nodemailer: LatchkeyNodemailer,
} as object as Imports
