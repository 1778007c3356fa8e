/** Draws bar charts as SVG, for pages in light and dark. */
import { formatNumber } from "./format-number.ts"

/** A chart with horizontal bars, all on one scale that begins at 0. */
export interface BarChart {
  readonly title: string
  /** The unit, and whether more is better. */
  readonly subtitle: string
  readonly groups: readonly BarGroup[]
}

/** Bars below a heading. */
export interface BarGroup {
  readonly title: string
  readonly bars: readonly Bar[]
}

interface Bar {
  readonly label: string
  readonly value: number
  readonly isEmphasized: boolean
}

/** Narrow, so that a phone shrinks it little. */
const width = 400
const displayWidth = 480
const margin = 16
const barStart = 218
const longestBar = 126
const barHeight = 12
const rowHeight = 22
const groupHeight = 32
const headerHeight = 62

/** The image has its own background, because a page may have another theme than the system. */
const style = `
  svg { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
  .background { fill: #ffffff; stroke: #d1d9e0 }
  .title { font-size: 15px; font-weight: 600 }
  .group { font-weight: 600 }
  .muted { fill: #59636e }
  .bar { fill: #818b98 }
  .emphasized { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    svg { fill: #f0f6fc }
    .background { fill: #0d1117; stroke: #3d444d }
    .muted { fill: #9198a1 }
    .bar { fill: #656c76 }
    .emphasized { fill: #4493f8 }
  }
`

/** Renders a chart. Its description has every value, for those who cannot see it. */
export function renderBarChart({ title, subtitle, groups }: BarChart): string {
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const scale = longestBar / Math.max(...values)
  let top = headerHeight
  const body = groups.map(({ title: heading, bars }) => {
    const rows = bars.map((bar, row) => renderBar(bar, top + groupHeight + row * rowHeight, scale))
    const group = [renderText(heading, margin, top + 20, "group"), ...rows].join("\n")
    top += groupHeight + bars.length * rowHeight
    return group
  })
  const height = top + margin
  const size = `width="${displayWidth}" height="${Math.round((height * displayWidth) / width)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeXml(title)}</title>
<desc id="description">${escapeXml(describeChart(subtitle, groups))}</desc>
<style>${style}</style>
<rect class="background" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${renderText(title, margin, 28, "title")}
${renderText(subtitle, margin, 48, "muted")}
${body.join("\n")}
</svg>
`
}

function renderBar({ label, value, isEmphasized }: Bar, top: number, scale: number): string {
  const length = Math.max(1, Math.round(value * scale * 10) / 10)
  const baseline = top + barHeight - 1
  return [
    renderText(label, margin, baseline),
    `<rect class="${isEmphasized ? "emphasized" : "bar"}" x="${barStart}" y="${top}" width="${length}" height="${barHeight}" rx="2"/>`,
    renderText(formatNumber(value), barStart + length + 6, baseline),
  ].join("\n")
}

function renderText(text: string, x: number, y: number, className?: string): string {
  const classAttribute = className === undefined ? "" : ` class="${className}"`
  return `<text${classAttribute} x="${x}" y="${y}">${escapeXml(text)}</text>`
}

function describeChart(subtitle: string, groups: readonly BarGroup[]): string {
  const sentences = groups.map(({ title, bars }) => {
    const values = bars.map(({ label, value }) => `${label} ${formatNumber(value)}`)
    return `${title}: ${values.join(", ")}.`
  })
  return [`${subtitle}.`, ...sentences].join(" ")
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}
