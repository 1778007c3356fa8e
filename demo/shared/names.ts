/** Names that people type where the demo has no account for them. */

/** A name on one line; empty when nothing is left of it. */
export function normalizeName(typed: unknown): string {
  if (typeof typed !== "string") return ""
  return typed
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 60)
    .trim()
}

/** The name as part of an address: letters, digits and dots. Empty for scripts that have none of them. */
export function toHandle(name: string): string {
  const latin = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return latin
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "")
    .slice(0, 40)
}

/** One or two letters that stand for a name, or for an address. */
export function getInitials(name: string): string {
  const [localPart = name] = name.split("@")
  const words = localPart.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const selected = words.length > 1 ? [words[0], words.at(-1)] : words
  return selected.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("") || "?"
}
