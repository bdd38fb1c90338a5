/** Returns the id of a lane in the API: its name in UTF-8 and base64url. */
export function toLaneId(name: string): string {
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte)).join('')
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
