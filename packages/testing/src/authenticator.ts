export type { AuthenticatorOverrides } from "./authenticator/overrides.ts"
export type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialJSON,
  PublicKeyCredentialRequestOptionsJSON,
  VirtualAuthenticatorOptions,
  VirtualPasskey,
} from "./authenticator/virtual-authenticator.ts"
export {
  createVirtualAuthenticator,
  VirtualAuthenticator,
} from "./authenticator/virtual-authenticator.ts"
