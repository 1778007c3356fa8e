/** The objects that act on behalf of one configuration, created once. */
import { createHasher, type Hasher } from "../crypto/digest.ts"
import { createTokenKeys, type TokenKeys } from "../crypto/jwt.ts"
import { createSealer, type Sealer } from "../crypto/sealer.ts"
import { sealTokens } from "../crypto/token-sealer.ts"
import { createLogger, type Logger } from "../logging/logger.ts"
import { type AdapterStore, createAdapterStore, replaceMethods } from "./adapter-store.ts"
import { createEventEmitter, type EmitEvent } from "./event-emitter.ts"
import type { ResolvedConfig, SessionConfig } from "./resolved-config.ts"

/** A configuration and the services that sessions in cookies need with it. */
export interface SessionServices {
  readonly config: SessionConfig
  readonly logger: Logger
  readonly emitEvent: EmitEvent
  readonly getTokenKeys: TokenKeys
  /** With the secrets of session tokens. */
  readonly tokenHasher: Hasher
}

/** A configuration and the services that sessions, flows and identities need with it. */
export interface CoreServices extends SessionServices {
  readonly config: ResolvedConfig
  /** Undefined when the application has no adapter. */
  readonly store: AdapterStore | undefined
  readonly hasher: Hasher
  readonly sealer: Sealer
}

/** The services of an application with a database. */
export interface StoreServices extends CoreServices {
  readonly store: AdapterStore
}

/** Runs work with the services of a configuration. */
export type RunWithServices<Services = CoreServices> = <Result>(
  work: (services: Services) => Promise<Result>,
) => Promise<Result>

export function createCoreServices(config: ResolvedConfig): CoreServices {
  const logger = createLogger(config.customLogger, config.debug, config.configuredSecrets)
  return {
    config,
    logger,
    store: createStore(config, logger),
    emitEvent: createEventEmitter(config.events, logger),
    getTokenKeys: createTokenKeys(config.jwt.secrets),
    tokenHasher: createHasher(config.jwt.secrets),
    hasher: createHasher(config.secrets),
    sealer: createSealer(config.jwt.secrets, config.redirectProxySecrets),
  }
}

/** With `encryptTokens`, seals the tokens of accounts before it stores them, and returns them as they are stored. */
function createStore(
  { adapter, encryptTokens, secrets }: ResolvedConfig,
  logger: Logger,
): AdapterStore | undefined {
  if (!adapter) return undefined
  const store = createAdapterStore(adapter, logger)
  if (!encryptTokens) return store
  return replaceMethods(store, {
    linkAccount: async (account) => store.linkAccount(await sealTokens(account, secrets)),
    createUserWithAccount: async (user, account) =>
      store.createUserWithAccount(user, await sealTokens(account, secrets)),
    updateAccount: async (account) => store.updateAccount(await sealTokens(account, secrets)),
  })
}
