import type { Block } from './markdown.ts'

/** What is done for one block of a page. */
export interface Step {
  /** What the terminal says of it. */
  readonly told: string
  /** A file to write, from the folder that the shell is in. */
  readonly write?: string
  readonly text: string
  /** Whether it goes on while the next blocks run, once the port answers. */
  readonly background: boolean
  /** What the output has to hold. */
  readonly prints?: string
}

/**
 * Reads the comment before a block, `<!-- walk: … -->`:
 *
 * - `background`: a server that goes on running.
 * - `prints TEXT`: fails unless the output has the text.
 * - `write FILE`: the block, of any language, is the file.
 * - `checkout`: gets and builds the public repository, for which the copy of this one stands.
 * - `skip, REASON`: cannot be done here.
 *
 * Blocks of other languages than `sh` are no steps without `write`.
 *
 * @throws TypeError for any other comment that begins with `walk:`
 */
export function stepOf(
  block: Block,
  at: { readonly port: number; readonly checkout: string },
): Step | undefined {
  const [, directive = ''] = /^walk:\s*(.*)$/s.exec(block.directive) ?? []
  const [, name = '', argument = ''] = /^(\w*),?\s*(.*)$/s.exec(directive) ?? []
  const text = block.text.replaceAll('3111', String(at.port))
  const [first = ''] = block.text.split('\n')
  if (name === 'write') return { told: `writes ${argument}`, write: argument, text, background: false }
  if (block.language !== 'sh') return undefined
  switch (name) {
    case '':
      return { told: first, text, background: false }
    case 'background':
      return { told: `${first} (goes on)`, text, background: true }
    case 'prints':
      return { told: first, text, background: false, prints: argument }
    case 'checkout':
      return { told: `${first} (the copy)`, text: `cd '${at.checkout}'`, background: false }
    case 'skip':
      return { told: `skipped: ${argument}`, text: 'true', background: false }
    default:
      throw new TypeError(`Nobody knows what "walk: ${directive}" means`)
  }
}
