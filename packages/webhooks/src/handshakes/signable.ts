const random = /^[A-Za-z0-9_-]{1,128}$/

/**
 * Reports whether the secret of deliveries may sign a text from a challenge: random text that is not JSON. A JSON number or
 * word could be the body of a delivery.
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
