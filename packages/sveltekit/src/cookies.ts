/** Cookies of an answer that SvelteKit writes. */
import type { Cookie } from "@latchkey/core/types"
import type { Cookies } from "@sveltejs/kit"

/** Says everything in as many words: SvelteKit has defaults of its own, such as `Secure` on http://127.0.0.1. */
export function setCookie(jar: Cookies, { name, value, options }: Cookie): void {
  const { path = "/", secure = false, httpOnly = false, sameSite = false, ...rest } = options
  jar.set(name, value, {
    encode: encodeURIComponent,
    ...rest,
    path,
    secure,
    httpOnly,
    sameSite,
  })
}
