export type {
  DevelopmentProvider,
  DevelopmentProviderOptions,
} from "./development/development-provider.ts"
export { developmentProvider } from "./development/development-provider.ts"
export type { ScriptedUser } from "./provider/types.ts"
