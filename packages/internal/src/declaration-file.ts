import { readFileSync, statSync } from 'node:fs'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'

/** The content of a file of declarations, or its problems. No problem holds a part of the file, which can be a secret. */
type Declarations<Data> =
  | { readonly data: Data; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly data?: never }

export const maxProblems = 20

interface DeclarationFile<Schema extends z.ZodType> {
  /** A JSON file if the name ends with `.json`, otherwise YAML. */
  readonly path: string
  readonly text: string
  readonly schema: Schema
}

/** Describes a file that cannot be read. */
export const describeUnreadableFile = (name: string, error: unknown): string =>
  `${name} cannot be read: ${String((error as NodeJS.ErrnoException).code)}`

const maxBytes = 1024 ** 2

/** Reads, parses and validates a file of at most 1 MiB. @param name the name of the file in problems */
export function readDeclarations<Schema extends z.ZodType>(
  name: string,
  { path, schema }: Omit<DeclarationFile<Schema>, 'text'>,
): Declarations<z.output<Schema>> {
  try {
    if (statSync(path).size > maxBytes) return { problems: [`${name} has more than ${maxBytes} bytes`] }
    return parseDeclarations(name, { path, text: readFileSync(path, 'utf8'), schema })
  } catch (error) {
    return { problems: [describeUnreadableFile(name, error)] }
  }
}

/**
 * Parses and validates a file.
 *
 * @param name the name of the file in problems, such as that of a setting
 */
export function parseDeclarations<Schema extends z.ZodType>(
  name: string,
  { path, text, schema }: DeclarationFile<Schema>,
): Declarations<z.output<Schema>> {
  const { content, why } = parse(path, text)
  if (why !== undefined) return { problems: [`${name} ${why}`] }
  const parsed = schema.safeParse(content)
  if (parsed.success) return { data: parsed.data }
  const issues = parsed.error.issues.slice(0, maxProblems)
  // The message of an unknown key quotes the key, which can be a misplaced secret.
  const getMessage = ({ code, message }: (typeof issues)[number]) =>
    code === 'unrecognized_keys' ? 'Has an unknown key' : message
  const findLine = createLineFinder(text)
  return {
    problems: issues.map((issue) => {
      const at = issue.path.join('.')
      return `${name}: ${at === '' ? '' : `${at}: `}${getMessage(issue)} (line ${findLine(issue.path)})`
    }),
  }
}

/** Returns the function that finds the line of a value, or of the closest value around it. JSON is YAML too. */
function createLineFinder(text: string): (path: readonly PropertyKey[]) => number {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  return (path) => {
    for (let { length } = path; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
    }
    return 1
  }
}

/** The messages of the parsers quote the text, so that they are replaced. */
function parse(path: string, text: string): { readonly content?: unknown; readonly why?: string } {
  if (path.endsWith('.json')) {
    try {
      return { content: JSON.parse(text) }
    } catch {
      return { why: 'is not JSON' }
    }
  }
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    return { why: `is not YAML: ${error.code} in line ${line}, column ${col}` }
  }
  try {
    return { content: document.toJS({ maxAliasCount: 100 }) }
  } catch {
    return { why: 'has unresolved or too many YAML aliases' }
  }
}
