/** Reports whether parts of an address are percent-encoded correctly; a driver would fail or send them undecoded. */
export function isDecodable(...texts: readonly string[]): boolean {
  try {
    return texts.map(decodeURIComponent).length === texts.length
  } catch {
    return false
  }
}
