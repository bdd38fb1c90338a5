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

/** An error as one may log it: where it happened, and nothing of what it was about. */
export function withoutMessage(error: unknown): Error {
  const told = new Error(describeFailure(error))
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
