/**
 * What may be stored and logged of an error whose message is not ours: its name and its code. Drivers put addresses
 * with passwords into their messages, parsers what they could not read.
 */
export function describeFailure(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { code } = error as { code?: unknown }
      const name = word.test(error.name) ? error.name : 'Error'
      return typeof code === 'string' && word.test(code) ? `${name} ${code}` : name
    }
  } catch {
    // Members of what strangers throw may throw themselves.
  }
  return 'Unknown error'
}

const word = /^\w{1,64}$/

/** The most issues, the most parts of a path and the most characters that a description has. */
const limits = { issues: 10, parts: 8, characters: 1000 }

/**
 * Describes the issues of a schema by their paths and codes, such as `conversation.id invalid_type, type custom`. The
 * description holds no value and no message. A part of a path that is not a plain word is `*`: keys of a map are data.
 *
 * @returns undefined for an error without issues
 */
export function describeIssues(error: unknown): string | undefined {
  try {
    const { issues, cause } = Object(error) as { readonly issues?: unknown; readonly cause?: unknown }
    const found: readonly unknown[] = Array.isArray(issues) ? issues : Array.isArray(cause) ? cause : []
    const described = found.slice(0, limits.issues).map(describeIssue)
    if (found.length > limits.issues) described.push(`${found.length - limits.issues} more`)
    return described.join(', ').slice(0, limits.characters) || undefined
  } catch {
    // A getter of the error throws.
    return undefined
  }
}

function describeIssue(issue: unknown): string {
  const { path, code } = Object(issue) as { readonly path?: unknown; readonly code?: unknown }
  const parts = (Array.isArray(path) ? path : []).slice(0, limits.parts).map((part: unknown) => {
    const key = String((Object(part) as { readonly key?: unknown }).key ?? part)
    return word.test(key) ? key : '*'
  })
  const place = parts.join('.') || '(root)'
  return typeof code === 'string' && word.test(code) ? `${place} ${code}` : place
}

/** Copies an error for a log: its name, its code, the issues of its schema and its stack, without its message. */
export function withoutMessage(error: unknown): Error {
  const issues = describeIssues(error)
  const told = new Error(describeFailure(error) + (issues === undefined ? '' : `: ${issues}`))
  told.stack = [told.message, ...framesOf(error)].join('\n')
  return told
}

/** The frames of a stack whose beginning is known: a line of a message can look like one. */
function framesOf(error: unknown): readonly string[] {
  try {
    // A part of a payload that is thrown as it is may have a member of that name.
    if (!(error instanceof Error)) return []
    const { name, message, code, stack = '' } = error as Error & { readonly code?: unknown }
    // Node writes the codes of its own errors behind their names.
    for (const named of [name, `${name} [${String(code)}]`]) {
      const header = `${message === '' ? named : `${named}: ${message}`}\n`
      if (stack.startsWith(header))
        return stack
          .slice(header.length)
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
    }
  } catch {
    // As above.
  }
  return []
}
