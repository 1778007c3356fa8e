/** The objects that act on behalf of one configuration, created once. */
import { createHasher, type Hasher } from "../crypto/digest.ts"
import { createTokenKeys, type TokenKeys } from "../crypto/jwt.ts"
import { createSealer, type Sealer } from "../crypto/sealer.ts"
import { createLogger, type Logger } from "../logging/logger.ts"
import { type AdapterStore, createAdapterStore } from "./adapter-store.ts"
import { createEventEmitter, type EmitEvent } from "./event-emitter.ts"
import type { ResolvedConfig, SessionConfig } from "./resolved-config.ts"
import { createSealingStore } from "./sealing-store.ts"

/** A configuration and the services that sessions in cookies need with it. */
export interface SessionServices {
  readonly config: SessionConfig
  readonly logger: Logger
  readonly emitEvent: EmitEvent
  readonly getTokenKeys: TokenKeys
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

export function createCoreServices(config: ResolvedConfig): CoreServices {
  const logger = createLogger(config.customLogger, config.debug, config.configuredSecrets)
  return {
    config,
    logger,
    store: config.adapter ? createStore(config.adapter, config, logger) : undefined,
    emitEvent: createEventEmitter(config.events, logger),
    getTokenKeys: createTokenKeys(config.jwt.secrets),
    hasher: createHasher(config.secrets),
    sealer: createSealer(config.jwt.secrets, config.redirectProxySecrets),
  }
}

function createStore(
  adapter: NonNullable<ResolvedConfig["adapter"]>,
  { encryptTokens, secrets }: ResolvedConfig,
  logger: Logger,
): AdapterStore {
  const store = createAdapterStore(adapter, logger)
  return encryptTokens ? createSealingStore(store, secrets) : store
}
