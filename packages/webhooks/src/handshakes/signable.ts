const random = /^[A-Za-z0-9_-]{1,128}$/

/**
 * Whether a text that a stranger chose may be signed with the secret of deliveries: random text, in which no delivery
 * fits. JSON that does, a number or a word, is a body that could be sent.
 */
export function isSignable(text: string | null | undefined): text is string {
  return typeof text === 'string' && random.test(text) && !isJson(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
