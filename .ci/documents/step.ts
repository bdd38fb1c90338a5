import type { Block } from './markdown.ts'

/** The action for one block of a page. */
export interface Step {
  /** The progress message. */
  readonly label: string
  /** A file to write, relative to the working directory of the shell. */
  readonly write?: string
  readonly text: string
  /** Whether the block keeps running in the background after the port answers. */
  readonly background: boolean
  /** Text that the output must contain. */
  readonly prints?: string
}

/**
 * Parses the directive of a block, `<!-- walk: … -->`:
 *
 * - `background`: the block starts a server that keeps running.
 * - `prints TEXT`: the output must contain the text.
 * - `write FILE`: the block, in any language, is the content of the file.
 * - `checkout`: the block clones and builds the repository; the copy of this checkout replaces it.
 * - `skip, REASON`: the block is skipped.
 *
 * Other blocks than `sh` are ignored without `write`.
 *
 * @throws TypeError for an unknown directive
 */
export function parseStep(
  block: Block,
  at: { readonly port: number; readonly checkout: string },
): Step | undefined {
  const [, directive = ''] = /^walk:\s*(.*)$/s.exec(block.directive) ?? []
  const [, name = '', argument = ''] = /^(\w*),?\s*(.*)$/s.exec(directive) ?? []
  const text = block.text.replaceAll('3111', String(at.port))
  const [first = ''] = block.text.split('\n')
  if (name === 'write') return { label: `writes ${argument}`, write: argument, text, background: false }
  if (block.language !== 'sh') return undefined
  switch (name) {
    case '':
      return { label: first, text, background: false }
    case 'background':
      return { label: `${first} (background)`, text, background: true }
    case 'prints':
      return { label: first, text, background: false, prints: argument }
    case 'checkout':
      return { label: `${first} (the copy)`, text: `cd '${at.checkout}'`, background: false }
    case 'skip':
      return { label: `skipped: ${argument}`, text: 'true', background: false }
    default:
      throw new TypeError(`Unknown directive "walk: ${directive}"`)
  }
}
