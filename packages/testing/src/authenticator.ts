export type {
  CreationOptions,
  DeviceAnswer,
  RequestOptions,
  SoftAuthenticatorOptions,
  SoftPasskey,
} from "./authenticator/authenticator.ts"
export { SoftAuthenticator, softAuthenticator } from "./authenticator/authenticator.ts"
export type { Twist } from "./authenticator/twist.ts"
