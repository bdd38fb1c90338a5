/**
 * What may be stored and logged of an error whose message is not ours: its name and its code. Drivers put addresses
 * with passwords into their messages, parsers what they could not read.
 */
export function describeFailure(error: unknown): string {
  try {
    if (!(error instanceof Error)) return 'Unknown error'
    const { code } = error as { code?: unknown }
    const name = /^\w{1,64}$/.test(error.name) ? error.name : 'Error'
    return typeof code === 'string' && /^\w{1,64}$/.test(code) ? `${name} ${code}` : name
  } catch {
    // Members of what strangers throw may throw themselves.
    return 'Unknown error'
  }
}

/** An error as one may log it: where it happened, and nothing of what it was about. */
export function withoutMessage(error: unknown): Error {
  const told = new Error(describeFailure(error))
  told.stack = [told.message, ...framesOf(error)].join('\n')
  return told
}

/** The frames of a stack whose beginning is known: a line of a message can look like one. */
function framesOf(error: unknown): readonly string[] {
  try {
    if (!(error instanceof Error)) return []
    const { name, message, stack = '' } = error
    // Node writes the codes of its own errors behind their names.
    const names = [name, `${name} [${String((error as { code?: unknown }).code)}]`]
    const header = names
      .map((one) => (message === '' ? one : `${one}: ${message}`))
      .find((one) => stack.startsWith(`${one}\n`))
    if (header === undefined) return []
    const lines = stack.slice(header.length).split('\n')
    return lines.filter((line) => /^\s+at /.test(line))
  } catch {
    return []
  }
}
