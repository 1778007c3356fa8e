/** The arguments and options of each command. */

/** `latchkey init`. */
export interface InitCommand {
  readonly folder?: string | undefined
  /** The name of a framework. */
  readonly framework?: string
  readonly yes?: boolean
  readonly install: boolean
  /** A folder with tarballs of Latchkey. */
  readonly packages?: string
}

/** `latchkey secret`. */
export interface SecretCommand {
  readonly write?: boolean
  readonly rotate?: boolean
  readonly env: string
}

/** The location of a configuration: `latchkey sweep`, and part of other commands. */
export interface ConfigLocation {
  readonly file?: string | undefined
  readonly export?: string
  readonly env?: string
}

/** `latchkey doctor`. */
export interface DoctorCommand extends ConfigLocation {
  readonly url?: string
  readonly production?: boolean
  readonly development?: boolean
  readonly online: boolean
  readonly json?: boolean
}

/** `latchkey migrate`. */
export interface MigrateCommand extends ConfigLocation {
  readonly dryRun?: boolean
  readonly sql?: boolean
}

/** `latchkey pages`. */
export interface PagesCommand extends ConfigLocation {
  readonly out: string
}

/** `latchkey move`. */
export interface MoveCommand {
  readonly yes?: boolean
  readonly install?: boolean
}
