/** Colors by their names in the style of a chart. */
export type Color = 'ink' | 'soft' | 'line' | 'ours' | 'other' | 'lead' | 'trail' | 'third'

/** Contrast of at least 4.5 to the card in both schemes. */
const style = `
svg{--card:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--ours:#0969da;--other:#6e7781;--lead:#1a7f37;--trail:#bc4c00;--third:#8250df}
@media (prefers-color-scheme:dark){svg{--card:#0d1117;--ink:#f0f6fc;--soft:#9198a1;--line:#3d444d;--ours:#4493f8;--other:#8b949e;--lead:#3fb950;--trail:#f0883e;--third:#ab7df8}}
text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:var(--ink)}
.soft{fill:var(--soft)}
.title{font-size:15px;font-weight:600}`

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const round = (value: number): string => String(Math.round(value * 10) / 10)

export const text = (
  x: number,
  y: number,
  content: string,
  {
    anchor = 'start',
    kind = '',
  }: { readonly anchor?: 'start' | 'middle' | 'end'; readonly kind?: string } = {},
): string =>
  `<text x="${round(x)}" y="${round(y)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${kind === '' ? '' : ` class="${kind}"`}>${escape(content)}</text>`

export const rectangle = (x: number, y: number, width: number, height: number, color: Color): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2" fill="var(--${color})"/>`

export const line = (x1: number, y1: number, x2: number, y2: number, color: Color): string =>
  `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="var(--${color})"/>`

export const polyline = (points: readonly (readonly [number, number])[], color: Color): string => {
  const dots = points.map(
    ([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="var(--${color})"/>`,
  )
  const path = points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')
  return `<path d="M${path}" fill="none" stroke="var(--${color})" stroke-width="2"/>${dots.join('')}`
}

/** Wraps the parts of a chart in a card, which is readable on light and dark pages. */
export function formatSvg(width: number, height: number, title: string, parts: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    `<style>${style}\n</style>`,
    `<rect width="${width}" height="${height}" rx="6" fill="var(--card)"/>`,
    text(16, 26, title, { kind: 'title' }),
    ...parts,
    '</svg>',
  ].join('\n')}\n`
}

/** Formats a ratio with two or three digits. */
export const formatRatio = (value: number): string =>
  value >= 10 ? value.toFixed(0) : value >= 3 ? value.toFixed(1) : value.toFixed(2)
