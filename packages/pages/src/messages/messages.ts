/** The texts that visitors read: on the built-in pages, and in the e-mail with a sign-in link. */

/**
 * The texts with the names of their placeholders; `never` for those without one. A placeholder stands in braces:
 * `"Sign in with {provider}"`.
 */
export interface MessagePlaceholders {
  /** Heading and title of the sign-in page. */
  signInHeading: never
  /** Below the heading: the site that the visitor comes from. Continues it in English: "Sign in to continue to …". */
  continueTo: "site"
  /** Heading of the sign-in page: the name of the application, or its host. */
  signInTo: "site"
  /** Button: to a provider, or a form to which the application gave a name. */
  signInWith: "provider"
  /** Button of a form, such as that with a password; a link from other pages to the sign-in page. */
  signInButton: never
  /** Button: sends a sign-in link to the address that the visitor typed. */
  signInWithEmail: never
  /** Button: opens the form for an e-mail address. */
  signInByEmail: never
  /** Button: opens the form with a password. */
  signInByPassword: never
  /** Button. */
  signInWithPasskey: never
  /** On a button: this browser signed in with it the last time. */
  lastUsed: never
  /** Next to a box: the visitor stays signed in after the browser has been closed. */
  rememberMe: never
  /** Before `createAccount`. */
  newHere: never
  /** Link to the registration page of the application. */
  createAccount: never
  /** Button: creates a passkey for a visitor who has none. */
  createPasskey: never
  /** Label of the field for the e-mail address. */
  emailLabel: never
  /** Label of the field for the name of a person who creates a passkey. */
  nameLabel: never
  /** Between two ways to sign in. */
  or: never
  passkeysUnsupported: never
  passkeysNeedJavaScript: never
  noSignInMethods: never

  /** The browser already has a passkey of this account. */
  passkeyExists: never
  /** The visitor closed the dialog of the browser, or it timed out. */
  passkeyCancelled: never
  passkeyInvalidInput: never
  /** The passkey did not work, for another reason. */
  passkeyFailed: never
  /** The server refused the passkey. */
  passkeyNotVerified: never

  signInFailed: never
  /** The visitor cancelled at the provider, or the provider refused or failed. */
  signInNotCompleted: never
  signInExpiredHeading: never
  /** The visitor came back from a provider too late, twice, or in another browser. Above a button that starts again. */
  signInExpired: never
  /** The account exists, but was created with another way to sign in. */
  accountNotLinked: never
  emailNotSent: never
  invalidEmail: never
  /** The user name or password is wrong. The text must not say which. */
  incorrectDetails: never
  accessDeniedHeading: never
  accessDenied: never
  linkExpiredHeading: never
  linkExpired: never
  tooManyAttemptsHeading: never
  tooManyAttempts: never
  /** Below `tooManyAttemptsHeading` and `unavailableHeading`. */
  waitAndTryAgain: never
  unavailableHeading: never
  unavailable: never
  /** Below `unavailable`, for whoever operates the site. */
  checkServerLog: never
  /** A page that requires a sign-in led here. */
  signInRequired: never
  /** The form was sent from a page that was open for too long. */
  pageExpired: never
  unknownErrorHeading: never
  unknownError: never
  /** Button: repeats what has failed. */
  tryAgain: never
  notFoundHeading: never
  notFound: never

  /** Heading and title of the sign-out page. */
  signOutHeading: never
  signOutQuestion: never
  /** Button. */
  signOutButton: never
  /** Link: leaves the sign-out page. */
  staySignedIn: never
  signOutFailedHeading: never
  signOutFailed: never

  /** Heading and title of the page after a sign-in link was sent. */
  checkEmailHeading: never
  checkEmailText: never
  /** Instead of `checkEmailText`, if the page knows the address that the visitor typed. */
  emailSentTo: "email"
  /** Instead of `emailSentTo`, if the e-mail also contains a code. */
  linkAndCodeSentTo: "email"
  /** After `emailSentTo` or `linkAndCodeSentTo`. */
  checkSpamFolder: never
  /** Button: requests another e-mail with a sign-in link. */
  resendEmail: never
  /** Link to the sign-in page: requests a sign-in link for another e-mail address. */
  useAnotherEmail: never
  /** After `resendEmail`: another e-mail was sent. */
  emailSentAgain: never
  /** After `resendEmail`: nothing was sent, because the previous e-mail was sent a few seconds ago. */
  emailSentRecently: never
  /** After `resendEmail`: nothing was sent, because too many e-mails were requested. */
  tooManyEmails: never
  /** Label of the field for the code of an e-mail. */
  codeLabel: never
  codeIncorrect: never
  /** After `codeIncorrect`: how often the visitor may try again, as a number. */
  codeAttemptsLeft: "count"
  /** The code has expired, was used, or was tried too often. Above `resendEmail`. */
  codeInvalid: never
  /** Before `continueButton`: the visitor may have opened the link of the e-mail in this browser. */
  linkOpened: never
  /** After `continueButton`: the visitor has not opened the link of the e-mail. */
  notSignedInYet: never

  /** Heading and title of the page that asks whether to use a sign-in link. */
  confirmHeading: never
  confirmText: never
  /** Heading and title of the page that a sign-in link opens in another browser, if its e-mail has a code. */
  enterCodeHeading: never
  /** Before `confirmText`. */
  enterCodeText: never
  /** After `noCode`: the link needs the code all the same. */
  codeMissing: never
  /** Button: goes on without a code. */
  noCode: never
  /** The visitor is signed in already; `user` is a name or an e-mail address. */
  signedInAs: "user"
  /** The same, if neither is known. */
  signedIn: never
  /** Heading of the sign-in page for visitors who are signed in: the name of the application, or its host. */
  continueToSite: "site"
  /** Link: continues with the account of the visitor who is signed in. */
  continueButton: never
  /** Link: shows the ways to sign in. */
  useAnotherAccount: never
  /** Button: signs in as the owner of the e-mail address `user`. */
  continueAs: "user"

  /** Heading and title of the page that asks for the second factor of a sign-in. */
  secondFactorHeading: never
  authenticatorText: never
  /** Label of the field for the code of an authenticator app. */
  authenticatorCodeLabel: never
  recoveryCodeText: never
  /** Label of the field for a recovery code. */
  recoveryCodeLabel: never
  /** Link: asks for a recovery code instead. */
  useRecoveryCode: never
  /** Link: asks for the code of the authenticator app instead. */
  useAuthenticator: never
  passkeyText: never
  /** Button and link: uses a passkey as the second factor. */
  usePasskey: never
  /** Before `sendCodeButton`. */
  emailFactorText: "email"
  /** Above the field for the code, whose label is `codeLabel`. */
  emailFactorSent: "email"
  /** Button. */
  sendCodeButton: never
  /** Link: asks for a code by e-mail instead, or sets such codes up. */
  useEmailCode: never
  /** Heading and title of the page that turns on codes by e-mail. */
  setUpEmailHeading: never
  /** On the page whose heading is `createPasskey`. */
  addPasskeyText: never
  /** Next to a box: the visitor is not asked for the second factor on this device for some time. */
  trustDevice: never
  /** Link: goes back to the application. */
  cancelButton: never
  /** Heading and title of the page that adds an authenticator app. */
  setUpFactorHeading: never
  setUpFactorText: never
  /** Describes the QR code to those who do not see it. */
  qrCode: never
  /** Before the secret as text. */
  setUpKeyText: never
  /** Link: opens the app that is installed on this device. */
  openAuthenticator: never
  /** Heading and title of the page with new recovery codes. */
  recoveryCodesHeading: never
  recoveryCodesText: never
  /** Link: continues, once the visitor has saved the codes. */
  codesSaved: never

  /** Subject and heading of the e-mail with a sign-in link: the name or host of the application. */
  signInEmailSubject: "app"
  /** In the e-mail. `duration` is a number with its unit, such as "24 hours", in the form that a list would have. */
  signInEmailExpiry: "duration"
  /** In the e-mail, below the button and above the link as text. */
  signInEmailLinkHint: never
  /** In the e-mail, above the code: for people who read it elsewhere. */
  signInEmailCodeHint: never
  /**
   * In the e-mail, below the code: how long it is valid, as in `signInEmailExpiry`, and that no person from the
   * application asks for it. Its pages do, so the text must not say that the application never asks.
   */
  signInEmailCodeExpiry: "duration" | "app"
  /** In the e-mail, for people who did not request it. */
  signInEmailIgnore: never

  /** Subject and heading of the e-mail with a code: the name or host of the application. */
  codeEmailSubject: "app"
  /** In that e-mail, above the code. Below it is `signInEmailCodeExpiry`. */
  codeEmailText: never
  /** In that e-mail: somebody has proven the first factor of the user. */
  codeEmailIgnore: never
  /** Subject and heading of the e-mails about a change: the name or host of the application. */
  noticeSubject: "app"
  noticeAppAdded: never
  noticeAppRemoved: never
  noticeRecoveryCodesAdded: never
  noticeRecoveryCodesRemoved: never
  noticeEmailCodesAdded: never
  noticeEmailCodesRemoved: never
  noticePasskeyAdded: never
  noticePasskeyRemoved: never
  noticePasskeyRenamed: never
  /** The end of the e-mails about a change. */
  noticeHint: never

  /** Link to the start page of the site. */
  homeLink: never
  /** Link to the start page of a site with a name. */
  backTo: "app"
  /** Describes the logo to those who do not see it. */
  logo: never
}

/** The keys of the texts. */
export type MessageKey = keyof MessagePlaceholders

/** The keys of the texts without a placeholder. */
export type PlainMessageKey = {
  [Key in MessageKey]: MessagePlaceholders[Key] extends never ? Key : never
}[MessageKey]

/** A text that contains each of the placeholders. */
export type Text<Placeholder extends string> = [Placeholder] extends [never]
  ? string
  : Intersection<Placeholder extends string ? `${string}{${Placeholder}}${string}` : never>

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Result,
) => void
  ? Result
  : never

/** The texts of one language. */
export type Messages = {
  readonly [Key in keyof MessagePlaceholders]: Text<MessagePlaceholders[Key]>
}

/** The arguments that fill a text: none if it has no placeholder. */
export type MessageValues<Key extends MessageKey, Value> = [MessagePlaceholders[Key]] extends [
  never,
]
  ? []
  : [values: Readonly<Record<MessagePlaceholders[Key], Value>>]

/** A language of the built-in pages and e-mails. */
export interface Language {
  /** The language tag (BCP 47), such as `de` or `zh-Hans`. */
  readonly tag: string
  /** @defaultValue `"ltr"` */
  readonly direction?: "ltr" | "rtl"
  readonly messages: Messages
}
