/** Modules that export configurations. */
import { createConfigFiles } from "../../packages/cli/test/support/config-mistake.ts"

export {
  createConfigFiles,
  nodemailerImport,
  secret,
  sqlImport,
} from "../../packages/cli/test/support/config-mistake.ts"

/** Fields of a provider, which takes issuer, client id and secret from the environment. */
export const createProviderFiles = (
  fields = "",
  options = "",
  imports = "",
): Readonly<Record<string, string>> =>
  createConfigFiles(
    `providers: [{ id: "idp", name: "IdP", type: "oidc", ${fields} }], ${options}`,
    imports,
  )

/** Options, beside a provider that lets everybody in. */
export const createPasswordFiles = (options: string): Readonly<Record<string, string>> =>
  createConfigFiles(
    `providers: [{ id: "credentials", name: "Password", type: "credentials", credentials: { name: {} },
      authorize: ({ name }) => ({ id: String(name), name }) }], ${options}`,
  )
