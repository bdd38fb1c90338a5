import { slug } from 'github-slugger'
import { marked, type Token } from 'marked'

/** A fenced block of code. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The number of its first line of code, from 1. */
  readonly line: number
  /** The text of a comment directly before the block, such as `<!-- walk: background -->`; otherwise empty. */
  readonly directive: string
}

export interface Page {
  readonly blocks: readonly Block[]
  /** The targets of links and images. */
  readonly links: readonly string[]
  /** The anchors that GitHub creates for headings. */
  readonly anchors: ReadonlySet<string>
}

/** Parses a Markdown page. */
export function parsePage(source: string): Page {
  const blocks: Block[] = []
  const links: string[] = []
  const anchors = new Set<string>()
  let offset = 0
  let comment = ''

  // The return value is only for asynchronous callbacks.
  void marked.walkTokens(marked.lexer(source), (token) => {
    if (token.type === 'heading') {
      anchors.add(unused(anchors, slug(plainText(token.tokens))))
    } else if (token.type === 'link' || token.type === 'image') {
      links.push(String(token['href']))
    } else if (token.type === 'code' && token['codeBlockStyle'] !== 'indented') {
      const language = String(token['lang'] ?? '')
      offset = source.indexOf('```' + language, offset) + 3
      const line = source.slice(0, offset).split('\n').length + 1
      blocks.push({ language, text: String(token['text']), line, directive: comment })
      offset = source.indexOf('```', offset) + 3
    }
    if (token.type === 'html') comment = /^<!--\s*(.*?)\s*-->\s*$/s.exec(token.raw)?.[1] ?? ''
    else if (token.type !== 'space') comment = ''
  })
  return { blocks, links, anchors }
}

function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => ('tokens' in token ? plainText(token.tokens) : 'text' in token ? String(token.text) : ''))
    .join('')
}

/** Appends a number to the anchor of a repeated heading. */
function unused(taken: ReadonlySet<string>, name: string): string {
  for (let count = 0; ; count += 1) {
    const candidate = count === 0 ? name : `${name}-${count}`
    if (!taken.has(candidate)) return candidate
  }
}
