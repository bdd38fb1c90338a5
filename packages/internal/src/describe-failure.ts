/**
 * Returns the name and the code of an error for storage and logs. Messages are omitted: those of drivers can contain
 * passwords, and those of parsers can contain the input.
 */
export function describeFailure(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { code } = error as { code?: unknown }
      const name = word.test(error.name) ? error.name : 'Error'
      return typeof code === 'string' && word.test(code) ? `${name} ${code}` : name
    }
  } catch {
    // A getter of the error throws.
  }
  return 'Unknown error'
}

const word = /^\w{1,64}$/

/** Limits of a description. */
const limits = { issues: 10, parts: 8, characters: 1000 }

/**
 * Describes the issues of a schema with paths and codes, such as `conversation.id invalid_type, type custom`. The
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
  const location = parts.join('.') || '(root)'
  return typeof code === 'string' && word.test(code) ? `${location} ${code}` : location
}

/** Copies an error for a log with its name, code, schema issues and stack, without its message. */
export function withoutMessage(error: unknown): Error {
  const issues = describeIssues(error)
  const copy = new Error(describeFailure(error) + (issues === undefined ? '' : `: ${issues}`))
  copy.stack = [copy.message, ...getStackFrames(error)].join('\n')
  return copy
}

/** Returns the frames of a stack. A line of the message can look like a frame, so the message is removed first. */
function getStackFrames(error: unknown): readonly string[] {
  try {
    // A provider can throw a part of a payload, which can have a member named `stack`.
    if (!(error instanceof Error)) return []
    const { name, message, code, stack = '' } = error as Error & { readonly code?: unknown }
    // Errors of Node have their code after the name.
    for (const named of [name, `${name} [${String(code)}]`]) {
      const header = `${message === '' ? named : `${named}: ${message}`}\n`
      if (stack.startsWith(header))
        return stack
          .slice(header.length)
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
    }
  } catch {
    // A getter of the error throws.
  }
  return []
}
