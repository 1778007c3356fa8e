/** QR codes as SVG. */
import { html, type Markup } from "../html.ts"

/** Space around a code, in modules: four, as ISO/IEC 18004 requires. */
const quietZone = 4

/** Renders a text as a QR code. The library that encodes it loads with the first one. */
export async function renderQrCode(text: string, label: string): Promise<Markup> {
  const { encode } = await import("uqr")
  const { data, size } = encode(text, { ecc: "M", border: 0 })
  const rows = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  )
  const length = size + 2 * quietZone
  const viewBox = `-${quietZone} -${quietZone} ${length} ${length}`
  return html`<svg role="img" aria-label="${label}" viewBox="${viewBox}" shape-rendering="crispEdges">\
<path fill="#000" d="${rows.join("")}"/></svg>`
}
