/** The props of the components. */
import type { Snippet } from "svelte"

/** Props of `SignIn`. */
export interface SignInProps {
  /** Id of the provider. Without one, the form leads to the sign-in page of the library. */
  provider?: string | undefined
  /**
   * The page whose default action is `signIn`, under the application's `paths.base`.
   *
   * @defaultValue `"signin"`
   */
  signInPage?: string | undefined
  /** Class of the form. */
  className?: string | undefined
  /**
   * Class of the button.
   *
   * @defaultValue `"signInButton"`
   */
  buttonClassName?: string | undefined
  /** `redirectTo`, the URL to go to after signing in, and other hidden fields of the form. */
  options?: HiddenFields | undefined
  /** Parameters for the authorization request, such as `prompt` and `login_hint`. */
  authorizationParams?: string | URLSearchParams | Readonly<Record<string, string>> | undefined
  /** Content of the button. */
  submitButton?: Snippet | undefined
  /** Fields of the form, such as a user name and a password. */
  children?: Snippet | undefined
  /** The same as `children`. */
  credentials?: Snippet | undefined
  /** The field for the e-mail address, if the provider is `nodemailer`. */
  email?: Snippet | undefined
}

/** Hidden fields. Objects are left out. */
export interface HiddenFields {
  readonly redirectTo?: string | undefined
  readonly [field: string]: unknown
}

/** Props of `SignOut`. */
export interface SignOutProps {
  /**
   * The page whose default action is `signOut`, under the application's `paths.base`.
   *
   * @defaultValue `"signout"`
   */
  signOutPage?: string | undefined
  /** Class of the form. */
  className?: string | undefined
  /**
   * Class of the button.
   *
   * @defaultValue `"signOutButton"`
   */
  buttonClassName?: string | undefined
  /** `redirectTo` is the URL to go to after signing out. With `federated`, the user is signed out at the provider, too. */
  options?:
    | { readonly redirectTo?: string | undefined; readonly federated?: boolean | undefined }
    | undefined
  /** Content of the button. */
  submitButton?: Snippet | undefined
}
