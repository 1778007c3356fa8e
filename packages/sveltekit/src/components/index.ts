/** Components for pages: forms that sign in and out. */
import type { Component, ComponentConstructorOptions, SvelteComponent } from "svelte"
import type { SignInProps, SignOutProps } from "./props.ts"
import SignInForm from "./SignIn.svelte"
import SignOutForm from "./SignOut.svelte"

export type { HiddenFields, SignInProps, SignOutProps } from "./props.ts"

/** A component whose slots take snippets, and elements with a `slot` attribute as well. */
export type SlottedComponent<Props extends object, Slot extends string> = Component<Props> &
  (new (
    options: ComponentConstructorOptions<Props>,
  ) => SvelteComponent<Props, Record<string, never>, Record<Slot, object>>)

// TypeScript cannot look into .svelte files: these are the types that they have.

/** A form that signs in: see {@link SignInProps}. */
export const SignIn = SignInForm as unknown as SlottedComponent<
  SignInProps,
  "default" | "credentials" | "email" | "submitButton"
>

/** A form that signs out: see {@link SignOutProps}. */
export const SignOut = SignOutForm as unknown as SlottedComponent<SignOutProps, "submitButton">
