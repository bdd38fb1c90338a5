import { createHash } from 'node:crypto'

/** Elements whose text changes with each release of a site. */
const hidden = ['script', 'style', 'svg', 'noscript', 'head', 'nav', 'header', 'footer']

/** Returns the SHA-256 of the words of a page, without its markup, navigation and spaces. */
export function hashText(body: string): string {
  const text = /<html[\s>]/i.test(body) ? readWords(findMain(hidden.reduce(removeElements, body))) : body
  return createHash('sha256').update(text.split(/\s+/).filter(Boolean).join(' ')).digest('hex')
}

const readWords = (html: string): string =>
  removeBetween(html, '<', '>').replaceAll('&nbsp;', ' ').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

/** Returns the main part of a page, or the whole page. */
function findMain(html: string): string {
  const lower = html.toLowerCase()
  for (const name of ['main', 'article']) {
    const start = findTag(lower, name, 0)
    const end = lower.lastIndexOf(`</${name}`)
    if (start !== -1 && end > start) return html.slice(start, end)
  }
  return html
}

function removeElements(html: string, name: string): string {
  const lower = html.toLowerCase()
  let rest = ''
  let at = 0
  for (;;) {
    const start = findTag(lower, name, at)
    const end = start === -1 ? -1 : lower.indexOf(`</${name}`, start)
    if (end === -1) return rest + html.slice(at)
    rest += `${html.slice(at, start)} `
    at = end + name.length + 2
  }
}

/** Finds the start of an element in lower case, whose name ends with white space or the tag. */
function findTag(lower: string, name: string, from: number): number {
  let at = from
  for (;;) {
    at = lower.indexOf(`<${name}`, at)
    if (at === -1 || /[\s/>]/.test(lower[at + name.length + 1] ?? '>')) return at
    at += 1
  }
}

function removeBetween(text: string, open: string, close: string): string {
  let rest = ''
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start === -1 ? -1 : text.indexOf(close, start)
    if (end === -1) return rest + text.slice(at)
    rest += `${text.slice(at, start)} `
    at = end + close.length
  }
}
