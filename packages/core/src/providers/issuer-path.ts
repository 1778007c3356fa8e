/**
 * Appends the path that a provider's issuers have to an `issuer` without it, because Auth.js expects the URL before
 * that path.
 */
export function appendIssuerPath<Options extends { issuer?: string | undefined }>(
  options: Options,
  path: string,
): Options {
  const issuer = options.issuer?.replace(/\/$/, "")
  if (!issuer) return options
  return { ...options, issuer: issuer.endsWith(path) ? issuer : issuer + path }
}
