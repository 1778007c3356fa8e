/** The picture of a user. */
import { html, type Markup } from "../../shared/html.ts"
import { getInitials } from "../../shared/names.ts"
import type { CurrentUser } from "../current-user.ts"

/** Renders the picture of a user, or initials. Pictures of other sites would reveal visits to those sites. */
export function avatar({ id, name, image }: CurrentUser, size: number): Markup {
  if (image && /^\/avatars\/[a-z]+$/.test(image)) {
    return html`<img class="avatar" src="${image}" alt="" width="${size}" height="${size}">`
  }
  return html`<svg class="avatar hue${getHue(id)}" viewBox="0 0 40 40" width="${size}" height="${size}" aria-hidden="true">
<text x="20" y="20.5" text-anchor="middle" dominant-baseline="central">${getInitials(name)}</text></svg>`
}

/** Returns one of six colours, always the same for a user. */
function getHue(id: string): number {
  return [...id].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6
}
