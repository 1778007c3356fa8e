/**
 * Returns a manifest of ours with another version: its own, and that of the other packages of ours that it names, alone
 * or in a range. The rest of the text stays as it is formatted.
 */
export function replaceVersion(manifest: string, version: string): string {
  const { version: currentVersion } = JSON.parse(manifest)
  return manifest.replace(
    /^( *"(?:version|@latchkey\/[\w-]+)": "\^?)([^"]+)"/gm,
    (line, key: string, value: string) => (value === currentVersion ? `${key}${version}"` : line),
  )
}
